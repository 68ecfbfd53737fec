// The format of Chrome's trace events: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

#include <hsm/observe/convert.hpp>

#include <hsm/observe/detail/output.hpp>
#include <hsm/observe/detail/timeline.hpp>
#include <hsm/text/detail/escape.hpp>

#include <unordered_map>

namespace hsm {

using namespace detail;

namespace {

class chrome_view final : public timeline_view {
public:
    explicit chrome_view(byte_sink& to) : out_(to) { out_.put("{\"displayTimeUnit\":\"ms\",\"traceEvents\":["); }

    void chart(std::uint32_t, const chart_names& names) override {
        auto& made = charts_.emplace_back();
        for (std::size_t s = 0; s < names.states.size(); ++s) {
            const auto state = R"(","cat":"state","name":)" + json_string(names.name(s));
            made.begins.push_back(R"({"ph":"B)" + state);
            made.ends.push_back(R"({"ph":"E)" + state); // some readers match ends by the name
            made.moments.push_back(R"({"ph":"i","s":"t)" + state);
        }
        for (const auto& s : names.states) made.names.push_back(json_string(s.path));
    }
    void track(std::uint32_t number, const trace_track& track, const chart_names& names) override {
        chart_of_.push_back(track.chart);
        next();
        out_.put(R"({"ph":"M","name":"process_name","args":{"name":)" + json_string(name_of(track, names)) + "}");
        put_place(number, 0);
        out_.put('}');
        put_region_name(number, 0);
    }
    void region(std::uint32_t track, std::uint16_t region) override { put_region_name(track, region); }
    void begins(std::uint32_t track, std::uint16_t region, std::uint16_t state, std::int64_t time) override {
        begun_until(track, region, time).states.push_back(state);
    }
    void ends(std::uint32_t track, std::uint16_t region, std::uint16_t state, std::int64_t time) override {
        auto& newcomers = begun_until(track, region, time).states;
        const bool at_once = !newcomers.empty();
        if (at_once) newcomers.pop_back();
        const auto& texts = charts_[chart_of_[track]];
        put_event(at_once ? texts.moments[state] : texts.ends[state], track, region, time);
    }
    void transits(std::uint32_t track, std::uint16_t region, const shown_transition& t, std::int64_t time) override {
        begun_until(track, region, time);
        const auto put = [&](std::string& to) { put_transition(t, to); };
        line_.clear();
        if (!t.payload.empty()) put(line_);
        put_event(t.payload.empty() ? charts_[chart_of_[track]].recent.of(t.what, t.event_number, put) : line_, track, region, time);
    }
    void finish(const trace_reader& from) {
        out_.put("\n]}\n");
        finish_conversion(out_, from);
    }

private:
    struct chart_texts {
        std::vector<std::string> begins, ends, moments, names;
        recent_texts recent;
    };

    /// The states that began at the current time. A state that also ends at this time becomes an instant, because readers cannot nest slices that
    /// begin and end at the same time.
    struct begun {
        std::int64_t time = 0;
        std::vector<std::uint16_t> states;
    };
    /// Returns the states of the region that began at `time`. Writes those that began earlier.
    begun& begun_until(std::uint32_t track, std::uint16_t region, std::int64_t time) {
        auto& its = begun_[std::uint64_t(track) << 16 | region];
        if (its.time != time && !its.states.empty()) {
            for (const auto s : its.states) put_event(charts_[chart_of_[track]].begins[s], track, region, its.time);
            its.states.clear();
        }
        its.time = time;
        return its;
    }
    void put_event(std::string_view text, std::uint32_t track, std::uint16_t region, std::int64_t time) {
        next();
        out_.put(text);
        end_event(track, region, time);
    }
    void next() {
        out_.put(first_ ? "\n" : ",\n");
        first_ = false;
    }
    static void put_transition(const shown_transition& t, std::string& to) {
        to += R"({"ph":"i","s":"t","cat":"transition","name":)" + json_string(t.text) + R"(,"args":{"from":)" + json_string(t.from);
        to += R"(,"to":)" + json_string(t.to) + R"(,"reason":)" + json_string(t.reason);
        to += R"(,"event":)" + json_string(t.payload.empty() ? t.event : t.payload) + "}";
    }
    void put_place(std::uint32_t track, std::uint16_t region) {
        out_.put(R"(,"pid":)");
        out_.put_number(track + 1);
        out_.put(R"(,"tid":)");
        out_.put_number(region + 1);
    }
    /// Ends the event with its time in microseconds, with three decimals.
    void end_event(std::uint32_t track, std::uint16_t region, std::int64_t time) {
        put_place(track, region);
        out_.put(R"(,"ts":)");
        out_.put_number(time / 1000);
        const auto rest = static_cast<int>(time % 1000);
        if (rest != 0) {
            const char digits[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                                   static_cast<char>('0' + rest % 10)};
            out_.put({digits, 4});
        }
        out_.put('}');
    }
    void put_region_name(std::uint32_t track, std::uint16_t region) {
        next();
        out_.put(R"({"ph":"M","name":"thread_name","args":{"name":)" + charts_[chart_of_[track]].names[region] + "}");
        put_place(track, region);
        out_.put('}');
    }

    output out_;
    std::string line_;
    std::deque<chart_texts> charts_;
    std::vector<std::uint32_t> chart_of_;
    std::unordered_map<std::uint64_t, begun> begun_; ///< by track and region
    bool first_ = true;
};

} // namespace

void write_chrome_trace(trace_reader& from, byte_sink& to) {
    chrome_view view(to);
    play(from, view);
    view.finish(from);
}

} // namespace hsm
