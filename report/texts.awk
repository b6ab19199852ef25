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

function fail(what) {
	print FILENAME ": " what " (report/texts.awk says how the help of a command is written)" >"/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text) {
	gsub(/[\\"]/, "\\\\&", text)
	gsub(/\n/, "\\n\"\n\t\"", text)
	return "\"" text "\""
}

function end_file() {
	if (file ~ /\/pages\//)
		pages = pages "\t{" quoted(name) ",\n\t" quoted(text["head"] "\n") "},\n"
	else if (file)
		commands = commands "\t{" quoted(name) ", TASK_" toupper(text["task"]) ", " quoted(text["summary"]) ",\n\t" \
			quoted(text["synopsis"]) ",\n\t" quoted(text["description"]) ",\n\t" \
			("examples" in text ? quoted(text["examples"]) : "NULL") "},\n"
}

# Adds a line, or to the line before.
function add(part, line, between) {
	if (part in text)
		line = text[part] between line
	text[part] = line
}

FNR == 1 {
	end_file()
	split("", text)
	part = "head"
	name = file = FILENAME
	sub(/.*\//, "", name)
	sub(/\.txt$/, "", name)
}
file ~ /\/pages\// {
	add("head", $0, "\n")
	next
}
part == "head" && /^(task|summary|synopsis):/ {
	key = value = $0
	sub(/:.*/, "", key)
	sub(/^[^:]*: */, "", value)
	add(key, value, "\n")
	next
}
part == "head" {
	if ($0 != "" || !("task" in text) || !("summary" in text) || !("synopsis" in text))
		fail("it does not begin with task, summary and synopsis, and an empty line")
	part = "description"
	next
}
$0 == "EXAMPLES" {
	part = "examples"
	gap = 0
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
	end_file()
	print "#include \"report/core/command/help_texts.h\"\n\n#include <stddef.h>\n"
	print "const struct help_command help_commands[] = {\n" commands "\t{0},\n};\n"
	print "const struct help_page help_pages[] = {\n" pages "\t{0},\n};"
}
