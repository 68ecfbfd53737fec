#include <samples/character/trace.hpp>

#include <hsm/observe/convert.hpp>
#include <hsm/observe/trace_error.hpp>

void game_trace::save() {
    writer_.close();
    hsm::memory_source trace(bytes_);
    hsm::trace_reader reader(trace);
    hsm::file_sink file(path_);
    if (path_.ends_with(".json"))
        hsm::write_chrome_trace(reader, file);
    else if (path_.ends_with(".pftrace"))
        hsm::write_perfetto_trace(reader, file);
    else if (path_.ends_with(".jsonl"))
        hsm::write_json_lines(reader, file);
    else
        file.write(bytes_.data(), bytes_.size());
    if (!file.close())
        throw hsm::trace_error(hsm::code::unreadable_trace, 0, path_ + " cannot be written",
                               "check the free disk space");
}
