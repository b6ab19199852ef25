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
private (redefined) (save) (source) (to) (unlocals) (vocabulary) (words) .ansi .at .backtrace .cell .hex .instruction .place
private .source .text .why .wordlist .xt >digit ?throw @execute add-char add-file add-local add-text application argument assign
private begin-locals block-file block-of block-source bucket-list carve check code-end colon-depth compile-local core-end
private do2value docol docon dodefer dodoes dovalue dovar drop-locals emit? err-file err-frames err-line err-text err-word
private error-hook escape even extend file! file-name file-names find-file find-name-in fit frames free-blocks fresh greet
private greet-hook header-hook heap-end hld host-text in-line join keep-string keys: known-word last-xt length local-end
private local-hook local-names local? memtop message message: messages metric-list name! name-place needs-room newest next-at
private next-header next-local no-action no-locals noted number-hook operand-kind outdev! outdev@ position-block prompt-hook
private refused renumber report-hook result root-wordlist same? see-code see-thread see-xt shrink size-of source-file
private source-line start-application start-hook store-local strings substitution substitutions thread-end to-local top-first
private trim trim-all unhook wanted wanted-xt word? write-image private (note) (cut) cut-hook
