// The compiler's command line includes this before a sample: each definition is written to an XML file and loaded again before it is compiled. The
// two charts must be equal. The sample then runs the loaded one, unless BY_FILE_ONLY_COMPARED is defined, because it uses references to its own
// nodes.
#pragma once

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/manage/manager.hpp>
#include <tests/support/naming.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace hsm {

template <class Machine> auto compile_by_file(owned<Machine> root, const compile_options& options = {}) {
    using context = typename Machine::context_type;
    static std::vector<owned<chart<context>>> originals; // the loaded charts call hooks of these
    registry<context> names;
    test::naming(names).name(*root);
    const auto text = save_xml(root);
    auto loaded = load_xml_text(text, names, "sample.xml");
    originals.push_back(make_owned<chart<context>>(compile(std::move(root), options)));
    auto by_file = compile(std::move(loaded), options);
    if (by_file.dump() != originals.back()->dump()) {
        std::printf("the chart is another one after it has been to a file:\n%s\n%s\n%s", text.c_str(), originals.back()->dump().c_str(),
                    by_file.dump().c_str());
        std::exit(1);
    }
#ifdef BY_FILE_ONLY_COMPARED
    return *originals.back();
#else
    return by_file;
#endif
}

} // namespace hsm

#define compile compile_by_file
