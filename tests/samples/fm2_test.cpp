// The reader of controller movies: what it understands, and what it says of everything else.

#include <samples/character/fm2.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace {

const std::string header = "version 3\nemuVersion 20604\npalFlag 0\ncomment author unknown\n";
const std::string frame = "|0|........|........||\n";

/// What the reader says of a movie named m.fm2; "" if it is fine.
std::string complaint(const std::string& text) {
    try {
        fm2::parse(text, "m.fm2");
        return "";
    } catch (const fm2::error& e) {
        return e.what();
    }
}

std::string complaint_of_file(const std::string& path) {
    try {
        fm2::load(path);
        return "";
    } catch (const fm2::error& e) {
        return e.what();
    }
}

std::string letters(fm2::pad pad) {
    std::string text;
    for (unsigned i = 0; i < fm2::button_letters.size(); ++i)
        if (pad.pressed(static_cast<fm2::button>(i))) text += fm2::button_letters[i];
    return text;
}

std::string pressed(const std::string& frame_line) { return letters(fm2::parse(header + frame_line, "m").frames.at(0).pads[0]); }

} // namespace

TEST_CASE("a movie has a header and frames") {
    const auto movie = fm2::parse(header + "|0|R......A|.L......||\n|1|...UTSB.|........||\n", "m.fm2");
    REQUIRE(movie.header.size() == 4);
    CHECK(movie.field("emuVersion") == "20604");
    CHECK(movie.field("comment") == "author unknown");
    CHECK(movie.field("romFilename") == "");
    REQUIRE(movie.frames.size() == 2);
    CHECK(letters(movie.frames[0].pads[0]) == "RA");
    CHECK(letters(movie.frames[0].pads[1]) == "L");
    CHECK(movie.frames[0].commands == 0);
    CHECK(letters(movie.frames[1].pads[0]) == "UTSB");
    CHECK(movie.frames[1].has(fm2::command::soft_reset));
    CHECK_FALSE(movie.frames[1].has(fm2::command::power));
}

TEST_CASE("each column of a pad is one button") {
    CHECK(pressed("|0|RLDUTSBA|||") == "RLDUTSBA");
    for (unsigned i = 0; i < 8; ++i) {
        std::string pad = "........";
        pad[i] = fm2::button_letters[i];
        CHECK(pressed("|0|" + pad + "|||") == std::string(1, fm2::button_letters[i]));
    }
}

TEST_CASE("a dot or a space means released, and any other character pressed") {
    CHECK(pressed("|0|R. x*._0|||") == "RUTBA");
    CHECK(pressed("|0|        |||") == "");
}

TEST_CASE("the second pad and the expansion port may be missing") {
    CHECK(complaint(header + "|0|........||\n") == "");
    CHECK(complaint(header + "|0|........|||\n") == "");
    CHECK(complaint(header + "|0|........|........|\n") == "");
}

TEST_CASE("the column of a second device that is not a pad is ignored") { CHECK(complaint(header + "port1 2\n|0|........|12 34 0 0 0||\n") == ""); }

TEST_CASE("all line endings are accepted, and the last line needs none") {
    CHECK(fm2::parse("version 3\r\n|0|R.......|||\r\n|0|........|||\r\n", "m").frames.size() == 2);
    CHECK(fm2::parse("version 3\n|0|R.......|||", "m").frames.size() == 1);
    CHECK(fm2::parse("version 3\n\n|0|R.......|||\n\n", "m").frames.size() == 1);
}

TEST_CASE("a frame has the duration of the console's picture") {
    CHECK(fm2::parse(header + frame, "m").frame_nanoseconds() == 16'639'267);
    CHECK(fm2::parse("version 3\npalFlag 1\n" + frame, "m").frame_nanoseconds() == 19'997'200);
    CHECK(fm2::parse("version 3\n" + frame, "m").frame_nanoseconds() == 16'639'267);
}

TEST_CASE("an empty movie is refused") { CHECK(complaint("") == "m.fm2:1: the file is empty; hint: a movie begins with 'version 3'"); }

TEST_CASE("a movie without frames is refused") {
    CHECK(complaint(header) == "m.fm2:4: the movie has no frames; hint: write a frame as '|0|........|........||'");
    CHECK(complaint("\n") == "m.fm2:1: the movie has no frames; hint: write a frame as '|0|........|........||'");
}

TEST_CASE("a movie in binary form is refused") {
    CHECK(complaint("version 3\nbinary 1\n|") == "m.fm2:2: binary is '1', not 0; hint: save the movie as text: the frames of this file are binary");
    CHECK(complaint(std::string("version 3\n|\x02\x00\x00", 13)) ==
          "m.fm2:2: byte 2 in column 2 is not text; hint: only movies in text form can be read, not binary ones");
    CHECK(complaint("version 3\nbinary 0\n" + frame) == "");
}

TEST_CASE("zero bytes and other control characters") {
    CHECK(complaint(header + std::string("comment a\0b\n", 12) + frame) ==
          "m.fm2:5: byte 0 in column 10 is not text; hint: only movies in text form can be read, not binary ones");
    CHECK(complaint(header + "|0|....\x1b...|||\n") ==
          "m.fm2:5: byte 27 in column 8 is not text; hint: only movies in text form can be read, not binary ones");
    CHECK(complaint(header + "|0|..\r.....|||\n") ==
          "m.fm2:5: byte 13 in column 6 is not text; hint: only movies in text form can be read, not binary ones");
}

TEST_CASE("names in any script are text") { CHECK(complaint("version 3\nromFilename 悪魔城\n" + frame) == ""); }

TEST_CASE("a line that is neither a header line nor a frame") {
    const std::string hint = " is neither a header line nor a frame; hint: write a header line as 'key value'";
    CHECK(complaint("version\n") == "m.fm2:1: 'version'" + hint);
    CHECK(complaint("version 3\n# hello\n") == "m.fm2:2: '# hello'" + hint);
    CHECK(complaint(" version 3\n") == "m.fm2:1: ' version 3'" + hint);
    CHECK(complaint("<html> <body>\n") == "m.fm2:1: '<html> <body>'" + hint);
    CHECK(complaint("\xEF\xBB\xBFversion 3\n") == "m.fm2:1: '???version 3'" + hint);
}

TEST_CASE("a header line among the frames") {
    CHECK(complaint(header + frame + "comment late\n") == "m.fm2:6: 'comment late' is between frames; hint: a "
                                                          "frame begins with '|'; the header ends before the first");
}

TEST_CASE("a missing or unknown version") {
    CHECK(complaint("emuVersion 20604\n" + frame) == "m.fm2:2: the header does not contain the version; hint: add the line 'version 3'");
    CHECK(complaint("version 2\n" + frame) == "m.fm2:1: version is '2', not 3; hint: save the movie with FCEUX 2.0 or newer");
    CHECK(complaint("version three\n" + frame) == "m.fm2:1: version is 'three', not 3; hint: save the movie with FCEUX 2.0 or newer");
    CHECK(complaint("version 3x\n" + frame) == "m.fm2:1: version is '3x', not 3; hint: save the movie with FCEUX 2.0 or newer");
}

TEST_CASE("unsupported devices") {
    CHECK(complaint("version 3\nfourscore 1\n" + frame) == "m.fm2:2: fourscore is '1', not 0; hint: this program cannot play movies with four pads");
    CHECK(complaint("version 3\nport0 2\n" + frame) == "m.fm2:2: port0 is '2', not 1; hint: the first port must have a game pad");
}

TEST_CASE("a wrong number of columns") {
    const std::string hint = "; hint: the columns are commands, first pad, second pad, expansion port";
    CHECK(complaint(header + "|0|\n") == "m.fm2:5: the frame has 1 column, not 4" + hint);
    CHECK(complaint(header + "|0|........|\n") == "m.fm2:5: the frame has 2 columns, not 4" + hint);
    CHECK(complaint(header + "|0|........|........|||\n") == "m.fm2:5: the frame has 5 columns, not 4" + hint);
    CHECK(complaint(header + "||||||||\n") == "m.fm2:5: the frame has 7 columns, not 4" + hint);
    CHECK(complaint(header + "|\n") == "m.fm2:5: the frame has 0 columns, not 4" + hint);
}

TEST_CASE("a movie that is cut off in its last line is not played") {
    CHECK(complaint(header + frame + "|0|........|....") == "m.fm2:6: the frame does not end with '|'; hint: check whether the file is cut off");
    CHECK(complaint(header + frame + "|0|........|........|") ==
          "m.fm2:6: the frame has 3 columns, but the frames before it have 4; hint: check whether the file is cut off, or joined from two files");
}

TEST_CASE("a pad of the wrong length") {
    const std::string hint = ", not 8; hint: write RLDUTSBA, with '.' for each released button";
    CHECK(complaint(header + "|0|.......|........||\n") == "m.fm2:5: the first pad has 7 letters" + hint);
    CHECK(complaint(header + "|0||........||\n") == "m.fm2:5: the first pad has 0 letters" + hint);
    CHECK(complaint(header + "|0|........|.||\n") == "m.fm2:5: the second pad has 1 letter" + hint);
    CHECK(complaint(header + "|0|........|.........||\n") == "m.fm2:5: the second pad has 9 letters" + hint);
}

TEST_CASE("invalid commands") {
    const auto says = [](const std::string& commands) {
        return "m.fm2:5: the commands are '" + commands + "', not a number from 0 to 31; hint: use 0 for none, 1 for a reset, 2 for power";
    };
    for (const auto* commands : {"", "x", "-1", "1.5", "0x1", " 1", "32", "99999999999999999999"})
        CHECK(complaint(header + "|" + commands + "|........|........||\n") == says(commands));
}

TEST_CASE("messages shorten very long lines") {
    const std::string long_line(1'000'000, 'x');
    CHECK(complaint(long_line) ==
          "m.fm2:1: '" + std::string(32, 'x') + "...' is neither a header line nor a frame; hint: write a header line as 'key value'");
    CHECK(complaint(header + "|0|" + long_line + "|||\n") ==
          "m.fm2:5: the first pad has 1000000 letters, not 8; hint: write RLDUTSBA, with '.' for each released button");
    CHECK(complaint(header + "comment " + long_line + "\n" + frame) == "");
    CHECK(complaint(header + std::string(1'000'000, '|')).starts_with("m.fm2:5: the frame has 999999 columns, not 4"));
}

TEST_CASE("files that cannot be read") {
    CHECK(complaint_of_file("no/such/movie.fm2") == "no/such/movie.fm2: there is no such file; hint: check the path");
    CHECK(complaint_of_file("/") == "/: this is not a file; hint: name a file that ends in .fm2");
#ifndef _WIN32
    CHECK(complaint_of_file("/dev/null") == "/dev/null: this is not a file; hint: name a file that ends in .fm2");
#endif
}

TEST_CASE("load reads a file like a text") {
    const auto path = (std::filesystem::temp_directory_path() / "hsm_fm2_test.fm2").string();
    std::ofstream(path, std::ios::binary) << header << "|0|R......A|||\r\n|0|oops|||\n";
    CHECK(complaint_of_file(path) == path + ":6: the first pad has 4 letters, not 8; hint: write RLDUTSBA, with '.' for each released button");
    std::ofstream(path, std::ios::binary) << header << "|0|R......A|||\r\n";
    CHECK(fm2::load(path).frames.size() == 1);
    std::filesystem::remove(path);
}
