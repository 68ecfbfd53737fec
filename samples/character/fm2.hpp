/// Reads FCEUX movies: the states of a player's controllers for each frame, as text (https://fceux.com/web/FM2.html).
///
///     version 3                          header: a key, a space, a value
///     romFilename none
///     |0|R......A|........||             a frame: commands, first pad, second pad, expansion port
///
/// A pad has a column per button, RLDUTSBA; '.' and ' ' mean released, all other characters mean pressed. A movie with
/// an error is rejected completely: `error` reports the place.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fm2 {

/// In the order of a pad's columns.
enum class button : std::uint8_t { right, left, down, up, start, select, b, a };
inline constexpr std::string_view button_letters = "RLDUTSBA";

class pad {
public:
    bool pressed(button b) const { return (bits_ & bit(b)) != 0; }
    void press(button b) { bits_ = static_cast<std::uint8_t>(bits_ | bit(b)); }
    friend bool operator==(pad, pad) = default;

private:
    static constexpr unsigned bit(button b) { return 1u << static_cast<unsigned>(b); }

    std::uint8_t bits_ = 0;
};

/// Commands to the console in a frame; bits of one number.
enum class command : std::uint8_t { soft_reset = 1, power = 2, insert_disk = 4, select_disk = 8, insert_coin = 16 };

struct frame {
    std::uint8_t commands = 0;
    pad pads[2];

    bool has(command c) const { return (commands & static_cast<unsigned>(c)) != 0; }
};

struct header_field {
    std::string key;
    std::string value;
};

struct movie {
    std::vector<header_field> header;
    std::vector<frame> frames;

    std::string_view field(std::string_view key) const; ///< of the first field with that key; empty if there is none
    std::int64_t frame_nanoseconds() const;             ///< NTSC: 60.0988 Hz; with palFlag 1: 50.0070 Hz
};

/// "demo.fm2:12: problem; hint: solution".
class error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// `name` is the name of the file in messages.
movie parse(std::string_view text, std::string_view name);
movie load(const std::string& path);

} // namespace fm2
