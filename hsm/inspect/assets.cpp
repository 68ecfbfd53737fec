#include <hsm/inspect/detail/server.hpp>

#include <hsm/op/detail/compiler.hpp>

#include <cstddef>

#ifndef HSM_PAGE_FOLDER // the build defines it
#define HSM_PAGE_FOLDER "."
#endif

// The assembler includes each file between two symbols.
#define HSM_PAGE_FILE(symbol, name, type)                                                                                                            \
    HSM_ELF_ASSEMBLY(".pushsection .rodata, \"a\"\n"                                                                                                 \
                     ".hidden hsm_page_" #symbol "\n.global hsm_page_" #symbol "\n"                                                                  \
                     "hsm_page_" #symbol ":\n.incbin \"" HSM_PAGE_FOLDER "/" name "\"\n"                                                             \
                     ".hidden hsm_page_" #symbol "_end\n.global hsm_page_" #symbol "_end\n"                                                          \
                     "hsm_page_" #symbol "_end:\n.byte 0\n.popsection\n");                                                                           \
    extern "C" const char hsm_page_##symbol[], hsm_page_##symbol##_end[];

#define HSM_PAGE_SCRIPT(use, symbol) use(symbol, #symbol ".js", "text/javascript")
#define HSM_PAGE_FILES(use)                                                                                                                          \
    use(index, "index.html", "text/html") use(style, "style.css", "text/css") HSM_PAGE_SCRIPT(use, boxes) HSM_PAGE_SCRIPT(use, commands)             \
        HSM_PAGE_SCRIPT(use, dom) HSM_PAGE_SCRIPT(use, list) HSM_PAGE_SCRIPT(use, log) HSM_PAGE_SCRIPT(use, main) HSM_PAGE_SCRIPT(use, model)        \
            HSM_PAGE_SCRIPT(use, picture) HSM_PAGE_SCRIPT(use, populations) HSM_PAGE_SCRIPT(use, stream) HSM_PAGE_SCRIPT(use, timeline)              \
                HSM_PAGE_SCRIPT(use, why)
HSM_PAGE_FILES(HSM_PAGE_FILE)

namespace hsm::inspect::detail {

asset find_asset(std::string_view path) {
    if (path == "/") path = "/index.html";
#define HSM_PAGE_ENTRY(symbol, name, type)                                                                                                           \
    if (path == "/" name) return {{hsm_page_##symbol, static_cast<std::size_t>(hsm_page_##symbol##_end - hsm_page_##symbol)}, type "; charset=utf-8"};
    HSM_PAGE_FILES(HSM_PAGE_ENTRY)
    return {};
}

} // namespace hsm::inspect::detail
