/// W12 by Ragel: generated with -G2 when the benchmarks are built, if Ragel is installed.
#pragma once

#include "w12_request.hpp"
#include "w12_slip.hpp"

namespace w12 {

%%{
    machine slip;
    alphtype unsigned char;
    action add { packet_.add(fc); }
    action end { packet_.end(); }
    main := (
        (any - (0xc0 | 0xdb)) @add |
        0xc0 @end |
        0xdb (0xdc @{ packet_.add(slip_end); } | 0xdd @{ packet_.add(slip_esc); } | (any - (0xdc | 0xdd)) @add)
    )*;
    write data nofinal noerror noentry;
}%%

class slip_by_ragel {
public:
    void start() { %% write init;
    }
    void feed(const std::uint8_t* p, std::size_t count) {
        const auto* const pe = p + count;
        %% write exec;
    }
    static std::size_t bytes() { return sizeof(cs); }

private:
    int cs = 0;
    packet packet_;
};

%%{
    machine request;
    alphtype unsigned char;
    action add { head_.add(static_cast<char>(fc)); }
    action fail {
        head_.size = 0;
        head_.failed();
    }
    token = [a-zA-Z0-9_\-];
    visible = 0x21..0x7e;
    main :=
        start: ([A-Z] @add -> start | ' ' @{ head_.end_of(of_method); } -> target | (any - [A-Z ]) @fail -> garbage),
        target: (visible @add -> target | ' ' @{ head_.end_of(of_target); } -> version | (any - visible - ' ') @fail -> garbage),
        version: ([HTP/.0-9] -> version | '\r' -> end_of_line | (any - [HTP/.0-9\r]) @fail -> garbage),
        end_of_line: ('\n' -> begin | (any - '\n') @fail -> garbage),
        begin: (token @add -> name | '\r' -> end_of_head | (any - token - '\r') @fail -> garbage),
        name: (token @add -> name | ':' @{ head_.end_of(of_name); } -> blank | (any - token - ':') @fail -> garbage),
        blank: ([ \t] -> blank | visible @add -> value | '\r' @{ head_.end_of(of_value); } -> end_of_line |
            (any - visible - [ \t\r]) @fail -> garbage),
        value: (('\t' | ' ' | visible) @add -> value | '\r' @{ head_.end_of(of_value); } -> end_of_line |
            (any - visible - [ \t\r]) @fail -> garbage),
        end_of_head: ('\n' @{ head_.done(); } -> start | (any - '\n') @fail -> garbage),
        garbage: ('\n' -> after_garbage | (any - '\n') -> garbage),
        after_garbage: ('\n' -> start | '\r' -> after_garbage | (any - [\r\n]) -> garbage);
    write data nofinal noerror noentry;
}%%

class request_by_ragel {
public:
    void start() { %% write init;
    }
    void feed(const std::uint8_t* p, std::size_t count) {
        const auto* const pe = p + count;
        %% write exec;
    }
    static std::size_t bytes() { return sizeof(cs); }

private:
    int cs = 0;
    head head_;
};

} // namespace w12
