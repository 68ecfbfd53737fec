/// The machines of a page as its server knows them: their list, their records, and the viewers.
///
/// A thread of the hub takes the messages and records of all lanes, at most 30 times a second. Threads of the server take the events for the viewers.
/// All functions can be called in any thread.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/inspect/detail/history.hpp>
#include <hsm/inspect/detail/requests.hpp>
#include <hsm/inspect/page_options.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace hsm::inspect::detail {

class hub;

/// The HTTP server of a page. Its threads call the hub.
struct server {
    virtual ~server() = default; ///< ends all requests
    std::string url;
};
/// Binds the port, and begins to answer requests. Throws inspect_error (HSM-401, HSM-402).
owned<server> start_server(const page_options& options, hub& machines);

/// A browser or terminal that shows the page. Only the hub uses it.
struct viewer {
    static constexpr std::uint64_t unsent = UINT64_MAX;

    const std::uint32_t number;
    const bool may_command;
    std::uint64_t round;               ///< the last round of the hub whose events it has received; at first that in which it joined
    std::uint64_t next_event = unsent; ///< unsent: it must receive the list of machines
    /// The machines that it shows, with the index of the next record to send; `unsent`: from the beginning, with a keyframe.
    std::map<std::uint32_t, std::uint64_t> open = {};
};

class hub {
public:
    /// Starts the server and the thread. Throws inspect_error (HSM-401, HSM-402).
    explicit hub(const page_options& options);
    hub(const hub&) = delete;
    hub& operator=(const hub&) = delete;
    ~hub();

    /// Creates the feed of a lane. It exists as long as the hub.
    feed& new_feed();
    std::string url() const { return server_->url; }
    const page_clock& clock() const { return clock_; }

    // For the server.
    /// Adds a viewer, whose first event is `hello`. Returns null if there are too many viewers.
    std::shared_ptr<viewer> join(bool may_command);
    /// Waits for events of the stream. Returns false if the hub ends. The text is empty if nothing happened in that time. A viewer that is too
    /// slow gets the list of machines and the records again.
    bool take(viewer& who, std::string& text, std::chrono::milliseconds wait);
    void leave(viewer& who);
    /// Begins or ends to show a machine to a viewer.
    refusal show(std::uint32_t who, std::uint32_t machine, bool on);
    /// Sends a command to the machine's lane, and sets its number.
    refusal send(command& c);
    /// Waits for the result of a command.
    std::optional<command_result> result_of(std::uint64_t number, std::chrono::milliseconds wait);
    /// Returns the dictionary of a chart; empty if no machine has it.
    std::string dictionary(const std::string& chart);
    /// Returns nothing if no machine has the chart, or only its names are known.
    std::optional<chart_base> chart(const std::string& key) const;
    /// Returns the records of a machine as a trace file; empty if it has none.
    std::string trace(std::uint32_t machine) const;

private:
    struct listed {
        feed* source;
        machine_kind kind;
        std::uint32_t parent;
        std::string name;
        std::shared_ptr<known_chart> chart; ///< null: it has none
        std::vector<std::uint16_t> leaves;
        std::int64_t since; ///< the leaves have not changed since, by the page's clock
        machine_facts facts;
        unsigned viewers = 0;      ///< that have opened it
        std::int64_t close_at = 0; ///< when the lane learns that no viewer shows it; 0: it knows, or a viewer shows it
        std::unique_ptr<history> records = {};
    };

    void run();
    void work();
    void take(feed& from);
    void apply_taken();
    void close_unused(std::int64_t now);
    void limit_memory();
    bool has_news(const viewer& who) const;
    std::string news_for(viewer& who);
    void add_records(std::string& text, std::uint32_t id, std::uint64_t& next) const;
    void to_all(std::string_view event, const std::string& data);
    std::shared_ptr<known_chart> learn(const machine_added& added);
    std::shared_ptr<known_chart> find_chart(const std::string& key) const;
    static std::string described(std::uint32_t id, const listed& m);
    std::string greeting(const viewer& who) const;

    using viewer_list = std::vector<std::shared_ptr<viewer>>;

    history* records_of(std::uint32_t machine) const; ///< null: it has none
    viewer_list::iterator find_viewer(std::uint32_t number);
    struct receiver;
    void release(listed& m);

    const page_options options_;
    const page_clock clock_;
    const std::string run_ = random_token(); ///< identifies this run of the program
    mutable std::mutex mutex_;               ///< of everything below; lanes never use it
    std::condition_variable wake_, worked_;
    std::deque<feed> feeds_;
    std::vector<std::uint64_t> dropped_; ///< by lane: the last number that viewers know
    std::map<std::uint32_t, listed> machines_;
    std::map<std::string, std::weak_ptr<known_chart>> charts_; ///< by key
    viewer_list viewers_;
    std::deque<std::string> events_; ///< the latest ones, for all viewers
    std::uint64_t events_end_ = 0;   ///< the number of events that there ever were
    std::size_t events_size_ = 0;    ///< bytes
    std::map<std::uint64_t, std::optional<command_result>> awaited_;
    std::string changes_; ///< of leaves, in this round
    std::uint32_t last_viewer_ = 0;
    std::uint64_t last_command_ = 0;
    std::uint64_t rounds_ = 1; ///< of the thread
    bool ends_ = false;
    // Only the thread uses these.
    struct {
        feed* from = nullptr;
        std::vector<message> messages;
        std::vector<recorded> records;
        std::size_t next_message = 0, next_record = 0; ///< the first ones that are not applied
        std::uint64_t position = 0;                    ///< of the next record
    } taken_;
    std::thread thread_;
    owned<server> server_; ///< the last member, and so destroyed first: until then its requests use the hub, also this pointer
};

} // namespace hsm::inspect::detail
