/* SPDX-License-Identifier: MIT */
/* known_names.c - see known_names.h. */
#include "report/cxx/known_names.h"

#include <ctype.h>
#include <string.h>

/* What a template is called by those who use it, with its default arguments left out. */
struct alias {
	const char *name, *alias;
};

static const struct alias aliases[] = {
    {"std::basic_string<char>", "std::string"},
    {"std::basic_string<wchar_t>", "std::wstring"},
    {"std::basic_string<char8_t>", "std::u8string"},
    {"std::basic_string<char16_t>", "std::u16string"},
    {"std::basic_string<char32_t>", "std::u32string"},
    {"std::basic_string_view<char>", "std::string_view"},
    {"std::basic_string_view<wchar_t>", "std::wstring_view"},
    {"std::basic_ios<char>", "std::ios"},
    {"std::basic_istream<char>", "std::istream"},
    {"std::basic_ostream<char>", "std::ostream"},
    {"std::basic_iostream<char>", "std::iostream"},
    {"std::basic_ostream<wchar_t>", "std::wostream"},
    {"std::basic_istream<wchar_t>", "std::wistream"},
    {"std::basic_streambuf<char>", "std::streambuf"},
    {"std::basic_stringbuf<char>", "std::stringbuf"},
    {"std::basic_filebuf<char>", "std::filebuf"},
    {"std::basic_ifstream<char>", "std::ifstream"},
    {"std::basic_ofstream<char>", "std::ofstream"},
    {"std::basic_fstream<char>", "std::fstream"},
    {"std::basic_istringstream<char>", "std::istringstream"},
    {"std::basic_ostringstream<char>", "std::ostringstream"},
    {"std::basic_stringstream<char>", "std::stringstream"},
    {"std::basic_regex<char>", "std::regex"},
    {"fmt::basic_string_view<char>", "fmt::string_view"},
    {"fmt::basic_memory_buffer<char, 500>", "fmt::memory_buffer"},
    {"fmt::basic_format_context<fmt::appender, char>", "fmt::format_context"},
    {"fmt::basic_format_args<fmt::format_context>", "fmt::format_args"},
    {"fmt::basic_format_parse_context<char>", "fmt::format_parse_context"},
    {"nlohmann::basic_json<std::map, std::vector, std::string, bool, long, unsigned long, double, "
     "std::allocator, nlohmann::adl_serializer, std::vector<unsigned char>>",
     "nlohmann::json"},
    {"nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, long, unsigned "
     "long, double, std::allocator, nlohmann::adl_serializer, std::vector<unsigned char>>",
     "nlohmann::ordered_json"},
    {"Eigen::Matrix<double, -1, -1, 0, -1, -1>", "Eigen::MatrixXd"},
    {"Eigen::Matrix<float, -1, -1, 0, -1, -1>", "Eigen::MatrixXf"},
    {"Eigen::Matrix<int, -1, -1, 0, -1, -1>", "Eigen::MatrixXi"},
    {"Eigen::Matrix<double, -1, 1, 0, -1, 1>", "Eigen::VectorXd"},
    {"Eigen::Matrix<float, -1, 1, 0, -1, 1>", "Eigen::VectorXf"},
    {"Eigen::Matrix<int, -1, 1, 0, -1, 1>", "Eigen::VectorXi"},
    {"Eigen::Matrix<double, 1, -1, 1, 1, -1>", "Eigen::RowVectorXd"},
    {"Eigen::Matrix<float, 1, -1, 1, 1, -1>", "Eigen::RowVectorXf"},
    {"Eigen::Matrix<double, 2, 2, 0, 2, 2>", "Eigen::Matrix2d"},
    {"Eigen::Matrix<double, 3, 3, 0, 3, 3>", "Eigen::Matrix3d"},
    {"Eigen::Matrix<double, 4, 4, 0, 4, 4>", "Eigen::Matrix4d"},
    {"Eigen::Matrix<float, 2, 2, 0, 2, 2>", "Eigen::Matrix2f"},
    {"Eigen::Matrix<float, 3, 3, 0, 3, 3>", "Eigen::Matrix3f"},
    {"Eigen::Matrix<float, 4, 4, 0, 4, 4>", "Eigen::Matrix4f"},
    {"Eigen::Matrix<double, 2, 1, 0, 2, 1>", "Eigen::Vector2d"},
    {"Eigen::Matrix<double, 3, 1, 0, 3, 1>", "Eigen::Vector3d"},
    {"Eigen::Matrix<double, 4, 1, 0, 4, 1>", "Eigen::Vector4d"},
    {"Eigen::Matrix<float, 2, 1, 0, 2, 1>", "Eigen::Vector2f"},
    {"Eigen::Matrix<float, 3, 1, 0, 3, 1>", "Eigen::Vector3f"},
    {"Eigen::Matrix<float, 4, 1, 0, 4, 1>", "Eigen::Vector4f"},
    {"Eigen::Array<double, -1, -1, 0, -1, -1>", "Eigen::ArrayXXd"},
    {"Eigen::Array<float, -1, -1, 0, -1, -1>", "Eigen::ArrayXXf"},
    {"Eigen::Array<double, -1, 1, 0, -1, 1>", "Eigen::ArrayXd"},
    {"Eigen::Array<float, -1, 1, 0, -1, 1>", "Eigen::ArrayXf"},
};

const char *known_alias(const char *name)
{
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (!strcmp(aliases[i].name, name))
			return aliases[i].alias;
	return NULL;
}

static bool begins(const char *at, const char *end, const char *with)
{
	size_t n = strlen(with);
	return (size_t)(end - at) >= n && !memcmp(at, with, n);
}

bool known_inline(const char *at, size_t bytes)
{
	static const char *const words[] = {"__cxx11", "__cust", "_V2", "__ndk1"};
	static const char *const fronts[] = {"json_abi_", "lts_", "fundamentals_v"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (bytes == strlen(words[i]) && !memcmp(at, words[i], bytes))
			return true;
	for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++)
		if (begins(at, at + bytes, fronts[i]))
			return true;
	if (begins(at, at + bytes, "__") && bytes > 2)
		return strspn(at + 2, "0123456789") >= bytes - 2;
	return bytes > 1 && *at == 'v' && isdigit((unsigned char)at[1]);
}
