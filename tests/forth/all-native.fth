\ SPDX-License-Identifier: MIT
\ all-native: a word of each kind that the image has none of, so that the code of each is met.
defer deferred
5. 2value pair
: local  {: a -- a :} a 1+ to a a ;
