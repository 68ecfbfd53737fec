#include <hsm/tool/detail/script_words.hpp>

#include <hsm/load/detail/utf8.hpp>
#include <hsm/tool/detail/message.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

bool is_blank(char c) { return blanks.find(c) != blanks.npos; }

class splitter {
public:
    splitter(std::string_view text, const std::string& file, std::uint32_t line) : text_(text), file_(file), line_(line) {}

    script_line run() {
        if (!is_text(text_) || text_.find('\n') != text_.npos) fail("this is not a line of text", "write scripts as UTF-8 text");
        script_line made;
        while (true) {
            while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
            if (at_ == text_.size() || text_[at_] == '#') break;
            made.words.push_back(text_[at_] == '"' ? in_quotes() : plain());
        }
        made.where = {file_, line_, made.words.empty() ? 1 : made.words.front().column};
        const auto first = std::min(text_.find_first_not_of(blanks), at_);
        made.text = text_.substr(first, at_ - first);
        while (!made.text.empty() && is_blank(made.text.back())) made.text.pop_back();
        return made;
    }

private:
    [[noreturn]] void fail(std::string problem, std::string hint) const {
        throw command_error({{.text = std::move(problem), .hint = std::move(hint), .where = {file_, line_, column()}}}, exit_code::found);
    }

    std::uint32_t column() const {
        const auto characters = std::ranges::count_if(text_.substr(0, at_), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
        return static_cast<std::uint32_t>(characters) + 1;
    }

    script_word plain() {
        script_word w{.text = {}, .column = column()};
        while (at_ < text_.size() && !is_blank(text_[at_])) {
            if (text_[at_] == '"' && begins_value(w.text))
                add_quoted(w.text);
            else
                w.text += text_[at_++];
        }
        return w;
    }

    /// Returns whether a quote after `before` begins a value, as in name="..." or data={"...".
    static bool begins_value(std::string_view before) {
        return before.find('=') != before.npos && std::string_view("={[,:").find(before.back()) != std::string_view::npos;
    }

    /// Copies a quoted text with its quotes, as in JSON.
    void add_quoted(std::string& to) {
        const auto begin = at_;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') ++at_;
        if (at_ >= text_.size()) {
            at_ = begin;
            fail("this quote is not closed", "add a \" at the end of the value");
        }
        to += text_.substr(begin, ++at_ - begin);
    }

    script_word in_quotes() {
        script_word w{.text = {}, .column = column(), .is_quoted = true};
        const auto end = text_.find('"', at_ + 1);
        if (end == text_.npos) fail("this quote is not closed", "add a \" at the end of the name");
        w.text = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return w;
    }

    std::string_view text_;
    const std::string& file_;
    std::uint32_t line_;
    std::size_t at_ = 0;
};

} // namespace

script_line split_words(std::string_view text, const std::string& file, std::uint32_t line) { return splitter(text, file, line).run(); }

std::string quoted_if_needed(std::string_view name) {
    const bool plain = !name.empty() && name.front() != '#' && name.front() != '"' && std::ranges::none_of(name, is_blank);
    return plain ? std::string(name) : '"' + std::string(name) + '"';
}

} // namespace hsm::detail::tool
