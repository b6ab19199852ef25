/* SPDX-License-Identifier: MIT */
char input[] = "2 * (3 + 4) - 18 / (7 - 1) * -1";
int at;

int skip()
{
	while (input[at] == ' ')
		at++;
	return input[at];
}

int sum();

int factor()
{
	int n = 0;

	if (skip() == '-') {
		at++;
		return -factor();
	}
	if (input[at] == '(') {
		at++;
		n = sum();
		skip();
		at++;
		return n;
	}
	while (input[at] >= '0' && input[at] <= '9')
		n = 10 * n + input[at++] - '0';
	return n;
}

int product()
{
	int n = factor();

	while (skip() == '*' || input[at] == '/')
		if (input[at++] == '*')
			n *= factor();
		else
			n /= factor();
	return n;
}

int sum()
{
	int n = product();

	while (skip() == '+' || input[at] == '-')
		if (input[at++] == '+')
			n += product();
		else
			n -= product();
	return n;
}

int main()
{
	print(sum());
	return 0;
}
