#include <hsm/save/detail/json_value.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

namespace hsm::detail {

namespace {

/// A value without parts, as JSON. Throws nlohmann::json::type_error for a text that is not UTF-8.
std::string text_of(const nlohmann::json& value) { return value.dump(); }

std::string hex_of(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return text;
}

/// Uses no object of nlohmann's that has parts: the destructor of such an object allocates, and ends the program if that fails.
class json_writer {
public:
    std::string run(const json_value& d) {
        put(d);
        return std::move(text_) + '\n';
    }

private:
    void put(const json_value& d) {
        switch (d.kind) {
        case json_value::nothing: text_ += "null"; break;
        case json_value::boolean: text_ += d.number != 0 ? "true" : "false"; break;
        case json_value::integer: text_ += text_of(d.number); break;
        case json_value::natural: text_ += text_of(static_cast<std::uint64_t>(d.number)); break;
        case json_value::real: text_ += text_of(d.fraction); break;
        case json_value::text: put_text(d.string); break;
        case json_value::list:
            open('[');
            for (const auto& each : d.items) {
                begin_part();
                put(each);
            }
            close(']');
            break;
        case json_value::object:
            open('{');
            for (const auto& field : d.fields) {
                const auto is_it = [&](const json_value::field& other) { return other.first == field.first; };
                if (&*std::ranges::find_if(d.fields, is_it) != &field) continue; // written where the name is first, with its last value
                begin_part();
                text_ += text_of(field.first) + ": ";
                put(std::ranges::find_if(d.fields.rbegin(), d.fields.rend(), is_it)->second);
            }
            close('}');
            break;
        }
    }
    void put_text(const std::string& text) {
        std::string written;
        try {
            written = text_of(text);
        } catch (const nlohmann::json::type_error&) {
            auto bytes = json_value::empty_object();
            bytes.add("hex", json_value::of(hex_of(text)));
            return put(bytes);
        }
        text_ += written;
    }

    void open(char bracket) {
        text_ += bracket;
        depth_ += 2;
        is_empty_ = true;
    }
    void begin_part() {
        text_ += is_empty_ ? "\n" : ",\n";
        text_.append(depth_, ' ');
        is_empty_ = false;
    }
    void close(char bracket) {
        depth_ -= 2;
        if (!is_empty_) text_.append(1, '\n').append(depth_, ' ');
        text_ += bracket;
        is_empty_ = false;
    }

    std::string text_;
    std::size_t depth_ = 0; ///< spaces
    bool is_empty_ = true;  ///< nothing has been written behind the last opening bracket
};

/// Iterates over a text and counts the characters read.
class counting {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    counting(const char* at, std::size_t* count) : at_(at), count_(count) {}
    reference operator*() const { return *at_; }
    counting& operator++() {
        ++at_;
        ++*count_;
        return *this;
    }
    counting operator++(int) {
        auto before = *this;
        ++*this;
        return before;
    }
    bool operator==(const counting& other) const { return at_ == other.at_; }

private:
    const char* at_;
    std::size_t* count_;
};

/// Converts offsets to lines and columns. Offsets must not decrease.
class position_finder {
public:
    explicit position_finder(std::string_view text) : text_(text) {}
    /// Returns the position of the next token after `offset`.
    document_position token_behind(std::size_t offset) {
        while (offset < text_.size() && std::string_view(" \t\r\n,:").find(text_[offset]) != std::string_view::npos) ++offset;
        return at(offset);
    }
    document_position at(std::size_t offset) {
        for (; at_ < offset && at_ < text_.size(); ++at_) {
            if (text_[at_] == '\n') {
                ++position_.line;
                position_.column = 1;
            } else if (begins_character(text_[at_])) { // counts characters, not bytes
                ++position_.column;
            }
        }
        return position_;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;
    document_position position_{1, 1};
};

[[noreturn]] void refuse(code number, document_position place, std::string problem, std::string hint) {
    finding f{number, "", std::move(problem), std::move(hint)};
    if (place.line > 0) f.where = {"document", place.line, place.column};
    throw save_error(std::move(f));
}

/// Converts the events of nlohmann's parser to datums.
class json_reader : public nlohmann::json_sax<nlohmann::json> {
public:
    json_reader(std::string_view text, std::size_t most_depth) : text_(text), positions_(text), most_depth_(most_depth) {}

    json_value run() {
        // Versions of nlohmann's parser report this case with different texts.
        if (text_.empty())
            refuse(code::not_a_document, position_finder(text_).at(0), "this is not JSON: the text is empty", "restore a document that was saved");
        const counting begin(text_.data(), &read_), end(text_.data() + text_.size(), &read_);
        nlohmann::json::sax_parse(begin, end, this);
        return std::move(root_);
    }

    bool null() override { return put({}); }
    bool boolean(bool value) override { return put(json_value::of(value)); }
    bool number_integer(number_integer_t value) override { return put(json_value::of(value)); }
    bool number_unsigned(number_unsigned_t value) override { return put(json_value::of(value)); }
    bool number_float(number_float_t value, const string_t&) override { return put(json_value::of(value)); }
    bool string(string_t& value) override { return put(json_value::of(std::move(value))); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json_value::empty_object()); }
    bool start_array(std::size_t) override { return open(json_value::empty_list()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        const auto place = next_position();
        if (!names_.back().insert(name).second) refuse(code::broken_document, place, fmt::format("\"{}\" appears twice", name), "write it once");
        name_ = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& e) override {
        const std::string_view text = e.what();
        const auto behind = text.find(": "); // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
        const auto problem = behind == text.npos ? text : text.substr(behind + 2);
        refuse(code::not_a_document, position_finder(text_).at(position > 0 ? position - 1 : 0), "this is not JSON: " + std::string(problem),
               "restore a document that was saved");
    }

private:
    document_position next_position() {
        const auto place = positions_.token_behind(read_before_);
        read_before_ = read_;
        return place;
    }
    json_value& place_of(json_value value) {
        value.place = next_position();
        if (open_.empty()) return root_ = std::move(value);
        auto& to = *open_.back();
        return to.kind == json_value::list ? to.add(std::move(value)) : to.add(std::move(name_), std::move(value));
    }
    bool put(json_value value) {
        place_of(std::move(value));
        return true;
    }
    bool open(json_value value) {
        auto& opened = place_of(std::move(value));
        if (open_.size() == most_depth_)
            refuse(code::broken_document, opened.place, fmt::format("objects and lists are nested more than {} levels deep", most_depth_),
                   "raise most_depth in the options");
        open_.push_back(&opened);
        names_.emplace_back();
        return true;
    }
    bool close() {
        open_.pop_back();
        names_.pop_back();
        read_before_ = read_;
        return true;
    }

    std::string_view text_;
    position_finder positions_;
    std::size_t most_depth_;
    std::size_t read_ = 0, read_before_ = 0; ///< in bytes; read_before_: up to the end of the last token
    std::string name_;
    json_value root_;
    std::vector<json_value*> open_;
    std::vector<std::set<std::string>> names_;
};

} // namespace

std::string write_json(const json_value& d) {
    try {
        return json_writer().run(d);
    } catch (const nlohmann::json::type_error&) {
        refuse(code::not_a_document, {}, "a name is not UTF-8", "use UTF-8 for names of states, events and fields");
    }
}

json_value read_json(std::string_view text, std::size_t most_bytes, std::size_t most_depth) {
    if (text.size() > most_bytes)
        refuse(code::broken_document, {}, fmt::format("the text has more than {} bytes", most_bytes), "raise most_bytes in the options");
    return json_reader(text, most_depth).run();
}

} // namespace hsm::detail
