// The initial inputs of the fuzzer, and those that it found. tests/fuzz/load_xml.cpp checks the properties of each.

#include <tests/fuzz/load_xml.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

TEST_CASE("files from a fuzzer do no harm") {
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(HSM_TEST_DATA)) {
        if (!entry.is_regular_file()) continue;
        CAPTURE(entry.path().string());
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(file), {});
        CHECK(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) == 0);
        ++files;
    }
    CHECK(files >= 20);
}
