/* SPDX-License-Identifier: MIT */
int numbers[12] = {30, -7, 12, 0, 99, 5, -31, 12, 8, 77, -1, 4};

int swap(int i, int k)
{
	int kept = numbers[i];
	numbers[i] = numbers[k];
	numbers[k] = kept;
	return 1;
}

int quicksort(int from, int to)
{
	int i = from, k = to, pivot = numbers[(from + to) / 2], swaps = 0;

	while (i <= k) {
		while (numbers[i] < pivot)
			i++;
		while (numbers[k] > pivot)
			k--;
		if (i <= k)
			swaps += swap(i++, k--);
	}
	if (from < k)
		swaps += quicksort(from, k);
	if (i < to)
		swaps += quicksort(i, to);
	return swaps;
}

int main()
{
	int swaps = quicksort(0, 11);

	for (int i = 0; i < 12; i++) {
		print(numbers[i]);
		print(" ");
	}
	print(swaps);
	return 0;
}
