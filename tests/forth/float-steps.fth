\ SPDX-License-Identifier: MIT
\ float-steps: each kind of operation of the library's floats, for a system that has them loaded.
: steps  ( F: r1 r2 -- )
   fover fover f+ f.  fover fover f- fs.  fover fover f* fe.  fover fover f/ f.
   fover fabs fsqrt f.  fover fexp fs.  fdup fabs fln f.  fover fover fatan2 f.  fover fsin f.
   fdup pad sf! pad sf@ f.  fover floor f.  fdup f>d d.  f< . ;
3e 4e steps  -0.7e 5e-324 steps  1e 0e f/ f.  1e 3e 2e f** f. f.  123.456e f.
