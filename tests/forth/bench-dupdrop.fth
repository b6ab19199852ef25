\ SPDX-License-Identifier: MIT
\ bench-dupdrop: the cost of NEXT and of the loop, and little else.
: bench  32766 0 do dup drop loop ;
1 bench drop
