-- name: ListHpcPartitions :many
-- ListHpcPartitions gives the partitions of queues, by the names of both.
SELECT p.queue, p.name, p.nodes, p.cores_per_node, p.memory_gib_per_node
FROM platform.hpc_partition AS p
WHERE p.queue = ANY(@queues::text[])
ORDER BY p.queue, p.name
LIMIT @most::integer;
