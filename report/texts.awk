# SPDX-License-Identifier: MIT
# texts.awk - makes C (core/command/help_texts.h) of the texts of the help: a file NAME.txt for each command, beside its cmd_NAME.c,
# and the pages in report/help/pages, which are printed as they are. A command's file looks like this:
#
#     task: look                               what `zprof help` lists it under: a TASK_ of help_texts.h, in lower case
#     summary: the runs in a folder            what the command does: one line, in lower case
#     synopsis: [OPTION...] [FOLDER|FILE...]   what follows `zprof NAME`: a line for each form
#
#     Paragraphs, of lines of any length. Lines that begin with a space stay as they are.
#
#     EXAMPLES                                 may be left out: commands, indented, above each what it does
#     what was recorded here
#         zprof ls
#
# What a feature adds to another one's command is a file with the head `adds to: NAME`. Its paragraphs and examples stand where the
# command's file has a line `...`.

function fail(file, what) {
	print file ": " what " (report/texts.awk says how the help of a command is written)" >"/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text) {
	gsub(/[\\"]/, "\\\\&", text)
	gsub(/\n/, "\\n\"\n\t\"", text)
	return "\"" text "\""
}

# The text with what is added, in place of `...`.
function whole(name, part, between) {
	if (match(text[name, part], between "\\.\\.\\.(\n|$)"))
		text[name, part] = substr(text[name, part], 1, RSTART - 1) added[name, part] \
			(RSTART + RLENGTH <= length(text[name, part]) ? "\n" substr(text[name, part], RSTART + RLENGTH) : "")
	else if ((name, part) in added)
		fail(name ".txt", "its " part " needs a line '...', where other features add to it")
	return quoted(text[name, part])
}

# Adds a line, or to the line before.
function add(part, line, between) {
	if (adds_to)
		added[adds_to, part] = added[adds_to, part] ((adds_to, part, FILENAME) in begun ? between : part == "examples" ? "\n" : "\n\n") line
	else if ((name, part) in text)
		text[name, part] = text[name, part] between line
	else
		text[name, part] = line
	begun[adds_to, part, FILENAME] = 1
}

FNR == 1 {
	part = "head"
	adds_to = ""
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.txt$/, "", name)
	if ($0 ~ /^adds to: /)
		adds_to = substr($0, 10)
	else if (FILENAME ~ /\/pages\//)
		pages[++page_count] = name
	else
		commands[++command_count] = name
}
FILENAME ~ /\/pages\// {
	add("page", $0, "\n")
	next
}
part == "head" && /^(task|summary|synopsis):/ {
	key = value = $0
	sub(/:.*/, "", key)
	sub(/^[^:]*: */, "", value)
	add(key, value, "\n")
	next
}
part == "head" && $0 == "" {
	if (!adds_to && !((name, "task") in text && (name, "summary") in text && (name, "synopsis") in text))
		fail(FILENAME, "it does not begin with task, summary and synopsis, and an empty line")
	part = "description"
	next
}
part == "head" {
	if (!adds_to || FNR > 1)
		fail(FILENAME, "its head has a line that is no task, summary or synopsis")
	next
}
$0 == "EXAMPLES" {
	part = "examples"
	gap = kept = 0
	next
}
$0 == "" { gap = 1 }
$0 != "" {
	add(part, $0, gap ? "\n\n" : part == "description" && !/^ / && !kept ? " " : "\n")
	kept = /^ /
	gap = 0
}

END {
	if (failed)
		exit 1
	print "#include \"report/core/command/help_texts.h\"\n\n#include <stddef.h>\n\nconst struct help_command help_commands[] = {"
	for (i = 1; i <= command_count; i++) {
		name = commands[i]
		print "\t{" quoted(name) ", TASK_" toupper(text[name, "task"]) ", " quoted(text[name, "summary"]) ",\n\t" \
			quoted(text[name, "synopsis"]) ",\n\t" whole(name, "description", "\n\n") ",\n\t" \
			((name, "examples") in text ? whole(name, "examples", "\n") : "NULL") "},"
	}
	print "\t{0},\n};\n\nconst struct help_page help_pages[] = {"
	for (i = 1; i <= page_count; i++)
		print "\t{" quoted(pages[i]) ",\n\t" quoted(text[pages[i], "page"] "\n") "},"
	print "\t{0},\n};"
}
