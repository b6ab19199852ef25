-- What sqlite does for inside_lines.sh: inserts, an index, joins, patterns, sorting, sums. ROWS and TURNS are replaced.
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, town INTEGER, born INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
INSERT INTO person SELECT i, 'name ' || (i * 7919 % 20011), i * 31 % 500, 1900 + i * 17 % 100 FROM n;
CREATE INDEX person_town ON person(town, born);
CREATE TABLE turn(i INTEGER PRIMARY KEY);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < TURNS) INSERT INTO turn SELECT i FROM n;
SELECT sum(found) FROM (SELECT (SELECT count(*) FROM person WHERE name LIKE '%' || (i % 100) || '7%' AND born > 1900 + i % 5) AS found FROM turn);
SELECT sum(pairs) FROM (SELECT (SELECT count(*) FROM person a JOIN person b ON b.town = a.town AND b.born = a.born
	WHERE a.id % 100 = i % 100) AS pairs FROM turn);
SELECT sum(longest) FROM (SELECT (SELECT max(length(name || town)) FROM (SELECT name, town FROM person WHERE id > i ORDER BY name DESC LIMIT 5000)) AS longest FROM turn);
SELECT count(*) FROM (SELECT turn.i, town, sum(born), avg(id), min(name) FROM turn JOIN person ON person.id % 20 = turn.i % 20 GROUP BY turn.i, town);
