-- What sqlite is made to do: the same each time, for a second.
PRAGMA page_size = 4096;
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, town INTEGER, CHECK (born > 0));
CREATE TABLE town(id INTEGER PRIMARY KEY, name TEXT UNIQUE, people INTEGER DEFAULT 0);
CREATE TABLE bill(person INTEGER REFERENCES person(id), cents INTEGER, note TEXT);
CREATE TRIGGER moved_in AFTER INSERT ON person BEGIN UPDATE town SET people = people + 1 WHERE id = new.town; END;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
INSERT INTO town(id, name) SELECT i, printf('town %03d', (i * 37) % 50) FROM n;

BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
INSERT INTO person(id, name, born, town)
	SELECT i, substr('abcdefghijklmnopqrstuvwxyz', (i * 7) % 20 + 1, 1 + i % 6) || (i * 7919 % 6007), 1900 + i * 31 % 100, 1 + i * 13 % 50 FROM n;
COMMIT;
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
INSERT INTO bill SELECT 1 + i * 17 % 6000, i * i % 9973, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN 'paid' ELSE 'open ' || i END FROM n;
COMMIT;

CREATE INDEX bill_person ON bill(person, cents DESC);
CREATE INDEX person_town ON person(town, born) WHERE born > 1950;
CREATE VIEW debt AS SELECT person.town, person.name, sum(cents) AS owed FROM person JOIN bill ON bill.person = person.id
	WHERE note IS NULL OR note LIKE 'open%' GROUP BY person.id;
ANALYZE;

SELECT town.name, town.people, count(*), sum(owed), max(debt.name) FROM debt JOIN town ON town.id = debt.town GROUP BY town.id ORDER BY 4 DESC, 1 LIMIT 10;
SELECT name, owed, rank() OVER (PARTITION BY town ORDER BY owed DESC) AS place FROM debt WHERE town < 4 ORDER BY town, place, name LIMIT 12;
SELECT born / 10 * 10 AS decade, count(*), group_concat(DISTINCT length(name)) FROM person GROUP BY decade ORDER BY decade;
SELECT name FROM person WHERE name GLOB '[c-f]*99' UNION SELECT name FROM town WHERE people > 125 EXCEPT SELECT 'town 001' ORDER BY 1 LIMIT 10;
SELECT count(*) FROM person a LEFT JOIN person b ON b.town = a.town AND b.born = a.born AND b.id > a.id WHERE a.born > 1950;
EXPLAIN QUERY PLAN SELECT * FROM person WHERE town = 7 AND born > 1960;

DELETE FROM bill WHERE cents % 5 = 0;
UPDATE person SET name = upper(name) WHERE id IN (SELECT person FROM bill GROUP BY person HAVING count(*) > 1);
SELECT count(*), sum(length(name)), min(name), max(name) FROM person;
SAVEPOINT before; DELETE FROM person; SELECT count(*) FROM person; ROLLBACK TO before; RELEASE before;

CREATE TABLE document(body TEXT);
INSERT INTO document SELECT json_object('name', name, 'born', born, 'tags', json_array(town, id % 3, 'x' || id)) FROM person WHERE id <= 800;
SELECT count(*), sum(json_extract(body, '$.tags[1]')), max(json_extract(body, '$.name')) FROM document, json_each(body) WHERE json_each.key = 'born';
CREATE VIRTUAL TABLE words USING fts3(text);
INSERT INTO words SELECT 'the ' || name || ' of ' || town || ' was born in ' || born FROM person WHERE id <= 1000;
SELECT count(*) FROM words WHERE text MATCH 'born 19*';
CREATE VIRTUAL TABLE box USING rtree(id, left, right, low, high);
INSERT INTO box SELECT id, born, born + 3, town, town + id % 9 FROM person WHERE id <= 1500;
SELECT count(*), sum(id) FROM box WHERE left > 1930 AND right < 1970 AND low > 10 AND high < 40;
INSERT INTO town(id, name) VALUES (7, 'again') ON CONFLICT(id) DO UPDATE SET name = excluded.name || ' 7';
SELECT * FROM town WHERE id BETWEEN 6 AND 8;
PRAGMA integrity_check;
VACUUM;
SELECT count(*), sum(pgsize) FROM dbstat;
.schema
