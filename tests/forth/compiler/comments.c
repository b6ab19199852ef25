/* SPDX-License-Identifier: MIT */
// A comment to the end of the line /* that begins no other
int /* between */ value/**/= 0x10; /* over
several * lines **/

int main() { print(value); /* "text" */ print("/* no comment */ // none"); return 0; } // end
