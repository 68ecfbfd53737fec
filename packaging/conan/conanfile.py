# Untested: Conan is not available where hsm is developed. tests/structure/recipes.py parses this file and compares it with the library.
#
#     conan create packaging/conan --version 0.2.0 --build=missing
#
# The recipe exports the sources, which are two folders above it.
import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy

required_conan_version = ">=2.0"


class HsmConan(ConanFile):
    name = "hsm"
    version = "0.2.0"
    license = "MIT"
    description = "Hierarchical state machines for C++20"
    topics = ("state-machine", "statechart", "hsm", "scxml", "games")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False], "xml": [True, False], "scxml": [True, False], "json": [True, False], "workers": [True, False]}
    default_options = {"fPIC": True, "xml": True, "scxml": True, "json": False, "workers": False}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "hsm/*", "packaging/cmake/*", "packaging/debuggers/*"):
            copy(self, pattern, src=root, dst=self.export_sources_folder)

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        self.requires("fmt/[>=9.1 <12]")
        if self.options.xml:
            self.requires("pugixml/[>=1.11 <2]")
        if self.options.json:
            self.requires("nlohmann_json/[>=3.9 <4]", visible=False)
        if self.options.workers:
            self.requires("onetbb/[>=2021]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["HSM_INSTALL"] = True
        for part in ("xml", "scxml", "json", "workers"):
            toolchain.cache_variables[f"HSM_{part.upper()}"] = "ON" if self.options.get_safe(part) else "OFF"
        for part in ("SCRIPTS", "TOOL"):  # the package contains neither scripts, which need the sources of Duktape, nor a program
            toolchain.cache_variables[f"HSM_{part}"] = "OFF"
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "hsm")
        self._component("hsm", "hsm", ["fmt::fmt"])
        if self.options.xml:
            self._component("xml", "hsm_xml", ["hsm", "pugixml::pugixml"])
        if self.options.scxml:
            self._component("scxml", "hsm_scxml", ["xml"])
        if self.options.json:
            self._component("json", "hsm_json", ["hsm", "nlohmann_json::nlohmann_json"])
        if self.options.workers:
            self._component("workers", "hsm_workers", ["hsm", "onetbb::onetbb"])

    def _component(self, name, library, requires):
        component = self.cpp_info.components[name]
        component.libs = [library]
        component.requires = requires
        component.set_property("cmake_target_name", f"hsm::{name}")
        component.set_property("pkg_config_name", "hsm" if name == "hsm" else f"hsm-{name}")
