#include <hsm/inspect/detail/assets.hpp>

#include <hsm/op/detail/compiler.hpp>

#include <cstddef>

#ifndef HSM_PAGE_FOLDER // the build defines it
#define HSM_PAGE_FOLDER "."
#endif

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
HSM_PAGE_FILE(boxes, "boxes.js")
HSM_PAGE_FILE(commands, "commands.js")
HSM_PAGE_FILE(dom, "dom.js")
HSM_PAGE_FILE(list, "list.js")
HSM_PAGE_FILE(log, "log.js")
HSM_PAGE_FILE(model, "model.js")
HSM_PAGE_FILE(picture, "picture.js")
HSM_PAGE_FILE(populations, "populations.js")
HSM_PAGE_FILE(stream, "stream.js")
HSM_PAGE_FILE(timeline, "timeline.js")
HSM_PAGE_FILE(why, "why.js")

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
        HSM_PAGE_ENTRY("/boxes.js", boxes, script),
        HSM_PAGE_ENTRY("/commands.js", commands, script),
        HSM_PAGE_ENTRY("/dom.js", dom, script),
        HSM_PAGE_ENTRY("/list.js", list, script),
        HSM_PAGE_ENTRY("/log.js", log, script),
        HSM_PAGE_ENTRY("/model.js", model, script),
        HSM_PAGE_ENTRY("/picture.js", picture, script),
        HSM_PAGE_ENTRY("/populations.js", populations, script),
        HSM_PAGE_ENTRY("/stream.js", stream, script),
        HSM_PAGE_ENTRY("/timeline.js", timeline, script),
        HSM_PAGE_ENTRY("/why.js", why, script),
    };
#undef HSM_PAGE_ENTRY
    for (const auto& each : all)
        if (each.path == path) return {{each.begin, static_cast<std::size_t>(each.end - each.begin)}, each.type};
    return {};
}

} // namespace hsm::inspect::detail
