// Starts and stops the processes that a test needs.

import { spawn, execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The root of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const execute = promisify(execFile);

/** Runs a command to its end and returns its standard output. */
export async function run(command, args, options = {}) {
  const { stdout } = await execute(command, args, { cwd: root, maxBuffer: 64 << 20, ...options });
  return stdout;
}

/** Returns a port that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Starts a command and waits until its output matches a pattern, for at most
 * 30 s or the milliseconds of patience. The result holds the match, what was printed so far, stop,
 * and kill, which leaves it no time for anything.
 */
export function start(command, args, { until, patience = 30_000, ...options }) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const running = {
    output: '',
    stop: () => new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', resolve);
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    }),
  };
  running.kill = async () => {
    child.kill('SIGKILL');
    await running.stop();
  };
  return new Promise((resolve, reject) => {
    const fail = (why) => {
      clearTimeout(timer);
      running.stop().then(() => reject(new Error(`${command} ${args.join(' ')}: ${why}\n${running.output}`)));
    };
    const timer = setTimeout(() => fail(`did not print ${until} in ${patience} ms`), patience);
    const read = (chunk) => {
      if (running.match) return; // it goes on printing as long as it runs
      running.output += chunk;
      const match = until.exec(running.output);
      if (match) {
        clearTimeout(timer);
        resolve(Object.assign(running, { match }));
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
  });
}
