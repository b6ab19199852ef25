# SPDX-License-Identifier: MIT
# texts.awk - makes C (core/command/help_texts.h) of the texts of the help: a file NAME.txt for each command, beside its cmd_NAME.c,
# and the pages in report/help/pages, which are printed as they are. A command's file has these sections, each below its heading:
#
#     NAME          the name, ` - `, and a line in lower case that says what the command does
#     TASK          what `zprof help` lists it under: a TASK_ of help_texts.h, in lower case
#     SYNOPSIS      what follows `zprof NAME`, a line for each form
#     DESCRIPTION   paragraphs, of lines of any length; lines that begin with a space stay as they are
#     EXAMPLES      indented commands, above each what it does; may be left out

function fail(what) {
	print what " (report/texts.awk says how the help of a command is written)" >"/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text) {
	gsub(/[\\"]/, "\\\\&", text)
	gsub(/\n/, "\\n\"\n\t\"", text)
	return "\"" text "\""
}

function add_command(file) {
	name = file
	sub(/.*\//, "", name)
	sub(/\.txt$/, "", name)
	for (i = split("NAME TASK SYNOPSIS DESCRIPTION", needed, " "); i; i--)
		if (!(needed[i] in text))
			fail(file ": there is no section " needed[i])
	if (index(text["NAME"], name " - ") != 1)
		fail(file ": NAME does not begin with '" name " - '")
	commands = commands "\t{" quoted(name) ", TASK_" toupper(text["TASK"]) ", " \
		quoted(substr(text["NAME"], length(name) + 4)) ",\n\t" quoted(text["SYNOPSIS"]) ",\n\t" quoted(text["DESCRIPTION"]) ",\n\t" \
		("EXAMPLES" in text ? quoted(text["EXAMPLES"]) : "NULL") "},\n"
}

function add_page(file) {
	name = file
	sub(/.*\//, "", name)
	sub(/\.txt$/, "", name)
	pages = pages "\t{" quoted(name) ",\n\t" quoted(page) "},\n"
}

function end_file() {
	if (file ~ /\/pages\//)
		add_page(file)
	else if (file)
		add_command(file)
	split("", text)
	section = page = ""
}

FNR == 1 {
	end_file()
	file = FILENAME
}
{ page = page $0 "\n" }
file ~ /\/pages\// { next }
/^(NAME|TASK|SYNOPSIS|DESCRIPTION|EXAMPLES)$/ {
	section = $0
	text[section] = ""
	between = ""
	next
}
!section { fail(file ": '" $0 "' is in no section") }
$0 == "" {
	between = text[section] == "" ? "" : "\n\n"
	next
}
{
	if (between == "" && text[section] != "")
		between = section == "DESCRIPTION" && !/^ / && !kept ? " " : "\n"
	text[section] = text[section] between $0
	between = ""
	kept = /^ /
}

END {
	if (failed)
		exit 1
	end_file()
	if (failed)
		exit 1
	print "#include \"report/core/command/help_texts.h\"\n\n#include <stddef.h>\n"
	print "const struct help_command help_commands[] = {\n" commands "\t{0},\n};\n"
	print "const struct help_page help_pages[] = {\n" pages "\t{0},\n};"
}
