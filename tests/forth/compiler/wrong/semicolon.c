/* SPDX-License-Identifier: MIT */
// 5: expected ';' before '}'
int main()
{ print(1)
}
