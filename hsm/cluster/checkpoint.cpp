// Checkpoints:
//
//     [ head | messages, in chunks | table of chunks ]
//
// Each rank writes its agents and waiting messages as it would send them. Any number of ranks can read the chunks.

#include <hsm/cluster/cluster_error.hpp>
#include <hsm/cluster/detail/cluster_core.hpp>
#include <hsm/save/detail/image_format.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace hsm::detail {

namespace {

constexpr std::uint64_t checkpoint_magic = 0x6b63'6568'636d'7368; ///< "hsmcheck"
constexpr std::uint64_t checkpoint_version = 1;
constexpr std::size_t chunk_size = std::size_t(1) << 20;

struct checkpoint_head {
    std::uint64_t magic = checkpoint_magic;
    std::uint64_t version = checkpoint_version;
    fingerprint chart, layout;
    std::int64_t now = 0;
    std::uint64_t ticks = 0;
    std::uint64_t table = 0; ///< its offset
    std::uint64_t chunks = 0;
    std::uint64_t checksum = 0; ///< of the head without it, and of the table
};
static_assert(std::has_unique_object_representations_v<checkpoint_head>);

struct chunk {
    std::uint64_t offset, size, checksum;
};

/// The chunks of one rank, which end between messages. The offsets are in `bytes`.
std::vector<chunk> chunks_of(std::span<const std::byte> bytes) {
    std::vector<chunk> chunks;
    std::size_t begin = 0;
    const auto end_at = [&](std::size_t end) {
        if (end > begin) chunks.push_back({begin, end - begin, checksum_of_bytes(bytes.subspan(begin, end - begin), {})});
        begin = end;
    };
    each_message(
        bytes,
        [&](message each, const message_head& head) {
            const auto end = static_cast<std::size_t>(each.at - bytes.data()) + message::size(head);
            if (end - begin >= chunk_size) end_at(end);
        },
        [](const message_head&) {});
    end_at(bytes.size());
    return chunks;
}

/// The head and the table of a file, as bytes.
std::vector<std::byte> read_table(shared_file& file, const std::string& path, const checkpoint_head& expected) {
    const auto refuse = [&](std::string problem) {
        throw cluster_error(
            {code::broken_checkpoint, path, std::move(problem), "use a checkpoint of a crowd with the chart, build and options of this crowd"});
    };
    checkpoint_head head;
    const auto size = file.size();
    if (size < sizeof head) refuse("the file is not a checkpoint");
    file.read(0, std::as_writable_bytes(std::span(&head, 1)));
    if (head.magic != checkpoint_magic || head.version != checkpoint_version) refuse("the file is not a checkpoint from this version of the library");
    if (head.chart != expected.chart) refuse("the checkpoint belongs to another chart");
    if (head.layout != expected.layout) refuse("the checkpoint belongs to another build");
    if (head.table > size || head.chunks > (size - head.table) / sizeof(chunk)) refuse("the file is cut off");
    std::vector<std::byte> bytes(sizeof head + head.chunks * sizeof(chunk));
    std::memcpy(bytes.data(), &head, sizeof head);
    file.read(head.table, std::span(bytes).subspan(sizeof head));
    if (head.checksum != checksum_of(head, std::span(bytes).subspan(sizeof head))) refuse("the table of the file is damaged");
    return bytes;
}

} // namespace

/// Without the messages of a tick in progress.
byte_buffer cluster_core::saved_messages() {
    byte_buffer bytes;
    agents_.each([&](global_id id, agent_id local) {
        if (local) append_message(bytes, {.to = id, .kind = message_kind::newcomer}, image_of(local));
    });
    const auto add = [&](const outbox& box) {
        if (box.bytes.size() > 0) append_bytes(bytes, box.bytes.data(), box.bytes.size());
    };
    add(outside_);
    std::ranges::for_each(outboxes_, add);
    return bytes;
}

void cluster_core::save(const std::string& to) {
    refuse_in_hooks();
    // All allocations are in functions of `together`: an exception between calls of all ranks would leave the other ranks waiting.
    byte_buffer bytes;
    std::vector<chunk> chunks;
    std::string part;
    std::optional<shared_file> file;
    net.together(path_, [&] {
        bytes = saved_messages();
        chunks = chunks_of(bytes);
        part = to + ".part";
        file.emplace(net, part);
    });
    checkpoint_head head{.chart = layout_->machine.chart, .layout = layout_->machine.layout, .now = crowd_->now(), .ticks = ticks};
    const auto begin = sizeof head + net.sum_before(bytes.size());
    std::uint64_t sums[] = {bytes.size(), chunks.size()};
    net.sum(sums);
    head.table = sizeof head + sums[0];
    head.chunks = sums[1];
    const auto chunks_before = net.sum_before(chunks.size());
    std::vector<std::uint64_t> table; // of all ranks
    net.together(path_, [&] { table.resize(head.chunks * sizeof(chunk) / sizeof(std::uint64_t)); });
    for (auto& each : chunks) each.offset += begin;
    if (!chunks.empty()) std::memcpy(table.data() + chunks_before * 3, chunks.data(), chunks.size() * sizeof(chunk));
    net.sum(table);
    const auto table_bytes = std::as_bytes(std::span(table));
    head.checksum = checksum_of(head, table_bytes);
    const bool is_first = net.rank() == 0;
    file->open(true);
    file->write(begin, bytes);
    file->write(head.table, is_first ? table_bytes : std::span<const std::byte>());
    file->write(0, is_first ? std::as_bytes(std::span(&head, 1)) : std::span<const std::byte>());
    file->close();
    net.together(to, [&] {
        if (is_first && std::rename(part.c_str(), to.c_str()) != 0)
            throw cluster_error({code::failed_checkpoint, to, fmt::format("cannot replace the file: {}", std::strerror(errno)),
                                 "use a folder that all ranks can write"});
    });
}

/// The previous agents stay in the crowd until all ranks have loaded their part.
void cluster_core::restore(const std::string& from) {
    refuse_in_hooks();
    std::optional<shared_file> file;
    population other;
    net.together(from, [&] {
        file.emplace(net, from);
        other.outboxes.resize(outboxes_.size());
    });
    file->open(false);
    std::vector<std::byte> table;
    net.together(from, [&] { table = read_table(*file, from, {.chart = layout_->machine.chart, .layout = layout_->machine.layout}); });
    const auto head = head_of_image<checkpoint_head>(table);
    other.now = head.now;
    other.ticks = head.ticks;
    swap_with(other);
    const auto ranks = static_cast<std::uint64_t>(net.ranks()), rank = static_cast<std::uint64_t>(net.rank());
    first_exception first;
    first.of([&] {
        std::vector<std::byte> bytes;
        for (auto n = head.chunks * rank / ranks; n < head.chunks * (rank + 1) / ranks; ++n) {
            chunk each;
            std::memcpy(&each, table.data() + sizeof head + n * sizeof each, sizeof each);
            bytes.resize(each.size);
            file->read(each.offset, bytes);
            if (each.checksum != checksum_of_bytes(bytes, {}))
                throw cluster_error({code::broken_checkpoint, from, "a part of the file is damaged", "use an earlier checkpoint"});
            load_messages(bytes);
        }
    });
    std::int64_t last[] = {static_cast<std::int64_t>(outside_.count)};
    net.most(last);
    outside_.count = static_cast<std::uint64_t>(last[0]);
    try {
        exchange(false);
        first.take(failure_);
        net.agree(first, from);
    } catch (...) {
        drop_all(agents_);
        swap_with(other);
        throw;
    }
    drop_all(other.agents);
}

void cluster_core::load_messages(std::span<const std::byte> bytes) {
    visit(bytes, [&](message each, const message_head& head) {
        if (head.kind == message_kind::migration) return; // the rank may not exist now
        if (head.kind != message_kind::newcomer) {
            append_bytes(outside_.bytes, each.at, message::size(head));
            if (head.kind == message_kind::outside) outside_.count = std::max(outside_.count, (head.sequence & ((std::uint64_t(1) << 40) - 1)) + 1);
            return;
        }
        take_agent(head, each.payload(head));
        if (home(head.to) != net.rank()) leaving_.push_back({agents_.find(head.to), home(head.to), true});
    });
    unpack_columns();
}

void cluster_core::drop_all(const id_table<agent_id>& agents) {
    agents.each([&](global_id, agent_id local) {
        if (local) crowd_->drop(local);
    });
}

void cluster_core::swap_with(population& other) {
    const crowd_access access(*crowd_);
    std::swap(agents_, other.agents);
    std::swap(leaving_, other.leaving);
    std::swap(outside_, other.outside);
    for (std::size_t n = 0; n < other.outboxes.size(); ++n) std::swap(outboxes_[n], other.outboxes[n]);
    std::swap(access.now(), other.now);
    std::swap(ticks, other.ticks);
    access.ticks() = ticks;
}

} // namespace hsm::detail
