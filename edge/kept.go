package edge

import "sync"

// kept is a cache that is bounded in number and bytes (E-58): what came first
// goes first. It is safe for concurrent use.
type kept[K comparable] struct {
	most  int // entries
	bytes int // of all values together

	mu     sync.RWMutex
	values map[K][]byte
	order  []K
	size   int
}

func newKept[K comparable](most, bytes int) *kept[K] {
	return &kept[K]{most: most, bytes: bytes, values: map[K][]byte{}}
}

// get returns what was put under a key. It must not be changed.
func (k *kept[K]) get(key K) ([]byte, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	value, ok := k.values[key]
	return value, ok
}

// put keeps a value, unless there is one or it alone is over the bound.
func (k *kept[K]) put(key K, value []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.values[key]; ok || len(value) > k.bytes {
		return
	}
	for len(k.order) > 0 && (len(k.order) >= k.most || k.size+len(value) > k.bytes) {
		k.size -= len(k.values[k.order[0]])
		delete(k.values, k.order[0])
		k.order = k.order[1:]
	}
	k.values[key] = value
	k.order = append(k.order, key)
	k.size += len(value)
}

// keptKeys are keys without values.
type keptKeys struct{ kept *kept[string] }

// has reports whether a key is kept. It makes no string of it.
func (k keptKeys) has(key []byte) bool {
	k.kept.mu.RLock()
	defer k.kept.mu.RUnlock()
	_, ok := k.kept.values[string(key)]
	return ok
}

func (k keptKeys) add(key []byte) { k.kept.put(string(key), nil) }
