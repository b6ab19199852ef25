\ SPDX-License-Identifier: MIT
\
\ private: the words that are parts of others, of no use to programs. A program may take such a name for a word of its
\ own without being told that the name was taken.
\
\	private	( "name"… -- )	marks the words named in the rest of the line

: private  begin parse-name dup while
      2dup token 2! find-name dup 0= -13 ?throw  5 + dup c@ $40 or swap c!
   repeat 2drop ;
private #locals (;) (accept) (c") (close) (defer) (file) (leave) (local!) (local@) (locals) (locals+) (main) (of) (order)
private (redefined) (save) (source) (to) (unlocals) (vocabulary) (words) .ansi .at .backtrace .cell .hex .instruction
private .place .source .text .why .wordlist .xt >digit ?open ?throw @execute add-char add-file add-local add-text
private application argument asked-word assign begin-locals block-file block-of block-source bucket-list carve check
private code-end colon-depth compile-local core-end do2value docol docon dodefer dodoes dovalue dovar drop-locals emit?
private err-file err-frames err-line err-text err-word error-hook escape even extend file! file-name file-names find-file
private find-name-in fit frames free-blocks fresh greet greet-hook header-hook heap-end hld host-text in-line join
private keep-string keys: known-word last-xt length local-end local-hook local-names local? memtop message message:
private messages metric-list name! name-place needs-room newest next-at next-header next-local next-name no-action
private no-locals noted number-hook operand-kind outdev! outdev@ position-block prompt-hook refused renumber report-hook
private result root-wordlist same? see-code see-thread see-xt shrink size-of source-file source-line start-application
private start-hook store-local strings substitution substitutions thread-end to-local top-first trim trim-all unhook wanted
private wanted-xt word? write-image private (note) (cut) cut-hook
