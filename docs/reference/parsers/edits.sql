-- The edits of the texts in all rows of a file: one row for each edit.
CREATE MACRO edits_of(file) AS TABLE
WITH changes AS (
    SELECT id, unnest(string_split(perturbation.edits, ';')) AS change
    FROM read_json(file, maximum_object_size = 100_000_000)
), texts AS (
    SELECT id, string_split(change, '|') AS parts FROM changes WHERE contains(change, '|')
), edits AS (
    SELECT id, parts[1] AS path, unnest(parts[2:]) AS edit FROM texts
)
SELECT
    id,
    url_decode(path) AS path,
    split_part(edit, ':', 1)::BIGINT AS start,
    url_decode(split_part(substr(edit, strpos(edit, ':') + 1), '>', 1)) AS old,
    url_decode(split_part(edit, '>', 2)) AS new
FROM edits;
