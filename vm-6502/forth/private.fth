\ SPDX-License-Identifier: MIT
\
\ private: the words that are parts of others, of no use to programs. A program may take such a name for a word of its
\ own without being told that the name was taken.
\
\	private	( "name"… -- )	marks the words named in the rest of the line

: private  begin parse-name dup while
      2dup token 2! find-name dup 0= -13 ?throw  5 + dup c@ $40 or swap c!
   repeat 2drop ;
private #locals (;) (accept) (c") (close) (defer) (file) (leave) (local!) (local@) (locals)
private (locals+) (main) (of) (order) (redefined) (save) (source) (to) (unlocals) (vocabulary)
private (words) .ansi .at .backtrace .cell .hex .instruction .place .source .text .why .wordlist .xt
private >digit ?throw @execute add-char add-file add-local add-text application argument assign
private begin-locals block-file block-of block-source bucket-list carve check code-end colon-depth
private compile-local core-end do2value docol docon dodefer dodoes dovalue dovar drop-locals emit?
private err-file err-frames err-line err-text err-word error-hook escape even extend file! file-name
private file-names find-file find-name-in fit frames free-blocks fresh greet greet-hook
private header-hook heap-end hld host-text in-line join keep-string keys: known-word last-xt
private length local-end local-hook local-names local? memtop message message: messages metric-list
private name! name-place needs-room newest next-at next-header next-local no-action no-locals noted
private number-hook operand-kind outdev! outdev@ position-block prompt-hook
private refused renumber report-hook result root-wordlist same?
private see-code see-thread see-xt shrink size-of source-file source-line start-application
private start-hook store-local strings substitution substitutions thread-end to-local top-first trim
private trim-all unhook wanted wanted-xt word? write-image
private private
