\ SPDX-License-Identifier: MIT
\ all-native: a word of each kind that the image lacks, so that the code of each is run.
defer deferred
5. 2value pair
: local  {: a -- a :} a 1+ to a a ;
