#include <hsm/inspect/detail/assets.hpp>

#include <hsm/op/detail/compiler.hpp>

#include <cstddef>

// The assembler includes each file between two symbols.
#define HSM_PAGE_FILE(symbol, name)                                                                                                                  \
    HSM_ELF_ASSEMBLY(".pushsection .rodata, \"a\"\n"                                                                                                 \
                     ".hidden hsm_page_" #symbol "\n.global hsm_page_" #symbol "\n"                                                                  \
                     "hsm_page_" #symbol ":\n.incbin \"" HSM_PAGE_FOLDER "/" name "\"\n"                                                             \
                     ".hidden hsm_page_" #symbol "_end\n.global hsm_page_" #symbol "_end\n"                                                          \
                     "hsm_page_" #symbol "_end:\n.byte 0\n.popsection\n");                                                                           \
    extern "C" const char hsm_page_##symbol[], hsm_page_##symbol##_end[];

HSM_PAGE_FILE(index, "index.html")
HSM_PAGE_FILE(style, "style.css")
HSM_PAGE_FILE(main, "main.js")

namespace hsm::inspect::detail {

asset find_asset(std::string_view path) {
    constexpr auto html = "text/html; charset=utf-8", css = "text/css; charset=utf-8", script = "text/javascript; charset=utf-8";
    struct entry {
        std::string_view path;
        const char *begin, *end, *type;
    };
#define HSM_PAGE_ENTRY(path, symbol, type)                                                                                                           \
    { path, hsm_page_##symbol, hsm_page_##symbol##_end, type }
    const entry all[] = {
        HSM_PAGE_ENTRY("/", index, html),
        HSM_PAGE_ENTRY("/style.css", style, css),
        HSM_PAGE_ENTRY("/main.js", main, script),
    };
#undef HSM_PAGE_ENTRY
    for (const auto& each : all)
        if (each.path == path) return {{each.begin, static_cast<std::size_t>(each.end - each.begin)}, each.type};
    return {};
}

} // namespace hsm::inspect::detail
