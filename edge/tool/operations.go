package tool

import "strings"

// Operations returns the table of a generated catalog with one reply a status:
// generated code writes replies that differ only in their status as one, its
// statuses separated by spaces.
func Operations(table []Operation) []Operation {
	for i := range table {
		var replies []Reply
		for _, reply := range table[i].Replies {
			for status := range strings.FieldsSeq(reply.Status) {
				reply.Status = status
				replies = append(replies, reply)
			}
		}
		table[i].Replies = replies
	}
	return table
}
