-- Admits one request, or says why not, in one step.
--
-- KEYS: the times at which requests of the key began, the places of the key,
--       the places of all keys. Sets ordered by time, in microseconds.
-- ARGV: the request's own name, rate, window, bound of the key, bound of all,
--       lease, and the time: -1 is the server's.
-- Returns 0 for an admission; 1 and the microseconds until a place is free
-- where the rate is reached; 2 and 3 where the key and all hold their bound.
local id = ARGV[1]
local rate, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local bound, total, lease = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local now = tonumber(ARGV[7])
if now < 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end

if rate > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
  local begun = redis.call('ZCARD', KEYS[1])
  if begun >= rate then
    local first = redis.call('ZRANGE', KEYS[1], begun - rate, begun - rate, 'WITHSCORES')
    return {1, tonumber(first[2]) + window - now}
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if bound > 0 and redis.call('ZCARD', KEYS[2]) >= bound then
  return {2, 0}
end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
if total > 0 and redis.call('ZCARD', KEYS[3]) >= total then
  return {3, 0}
end

-- What nobody asks for any more goes away by itself, a second after it has
-- lost its meaning.
if rate > 0 then
  redis.call('ZADD', KEYS[1], now, id)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
end
for place = 2, 3 do
  redis.call('ZADD', KEYS[place], now + lease, id)
  redis.call('PEXPIRE', KEYS[place], math.ceil(lease / 1000) + 1000)
end
return {0, 0}
