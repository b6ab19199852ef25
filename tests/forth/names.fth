\ SPDX-License-Identifier: MIT
\ names: each word of each word list with the file it is defined in, for tests/forth/forth-names.sh.
: name.  ( nt -- flag )
   dup name-place nip file-name type space  name>string type cr  true ;
: names  voclink @ begin dup while ['] name. over traverse-wordlist  2+ @ repeat drop ;
names
