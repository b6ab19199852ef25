\ SPDX-License-Identifier: MIT
\ patched: a program that changes machine code while it is in use, byte by byte, by cells, from a file, and in NEXT
\ itself. What it prints shows that the changed code has run. Words of its own, with NIP's code, so that the system
\ goes on working.
hex
create like-nip  ' nip @ here 10 move  10 allot
like-nip constant body  body ' like-nip !
create was  10 allot  body was 10 move

: try  ( -- ) 6 0 do 1 2 like-nip . loop depth . cr ;
: mend  ( -- ) was body 10 move ;
: as-drop  ( addr -- ) e8 over c!  1+ e8 over c!  1+ c84c over !  2 + 0 swap c! ;
try
body as-drop  try
mend  try

\ from a file: the host writes it
: opened  ( addr u fam -- fid ) open-file throw ;
s" patch.bin" w/o create-file throw constant out
' drop @ 5 out write-file throw  out close-file throw
: read-code  ( -- ) s" patch.bin" r/o opened >r  body 5 r@ read-file throw drop  r> close-file throw ;
read-code  try
mend  try

\ while it runs
: alternate  ( -- ) 4 0 do body as-drop 1 2 like-nip . mend 1 2 like-nip . loop cr ;
alternate

\ NEXT: written, and as it was; profiler.fth hooks it
: sum  ( -- n ) 0 40 0 do i + 18 next-at 0d + c! loop ;
sum .  cr
s" patch.bin" delete-file throw
