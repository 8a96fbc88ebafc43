// Attempts to escape the sandbox, as data for its tests. An attempt fails when it throws, or returns anything but
// ESCAPED. `@FILE@`, `@URL@` and `@PORT@` stand for a file, an address and a port of the machine.

/** With a module of Node that Deno implements itself. */
const importFromNode = (module: string, body: string) =>
  `const m = await import("node:${module}"); ${body}; return "ESCAPED"`;

type Attempt = readonly [string, string];

/** What the permissions of the process refuse. These leave nothing behind in the process that tries them. */
export const refusedAttempts: readonly Attempt[] = [
  // Files
  ['read a file by node:fs', importFromNode('fs', 'm.readFileSync("@FILE@")')],
  ['read a file by promises', importFromNode('fs/promises', 'await m.readFile("@FILE@")')],
  ['write a file', importFromNode('fs', 'm.writeFileSync("@FILE@", "x")')],
  ['list a folder', importFromNode('fs', 'm.readdirSync("/")')],
  ['open a device', importFromNode('fs', 'm.openSync("/dev/mem", "r")')],
  ['read its own memory', importFromNode('fs', 'm.readFileSync("/proc/self/mem")')],
  ['read the environment by /proc', importFromNode('fs', 'm.readFileSync("/proc/self/environ")')],
  ['make a symbolic link', importFromNode('fs', 'm.symlinkSync("/etc/passwd", "/tmp/thalamus-link")')],
  [
    'watch a folder',
    importFromNode('fs', 'await new Promise((ok, no) => m.watch("/").on("change", ok).on("error", no))'),
  ],
  ['import a file', 'await import("file://@FILE@"); return "ESCAPED"'],
  ['import a file as JSON', 'await import("file://@FILE@", { with: { type: "json" } }); return "ESCAPED"'],
  ['import a file as text', 'await import("file://@FILE@", { with: { type: "text" } }); return "ESCAPED"'],
  [
    'import a file from a data module',
    'await import("data:text/javascript,import \\"file://@FILE@\\""); return "ESCAPED"',
  ],
  [
    'import a file from a blob',
    'await import(URL.createObjectURL(new Blob(["import \\"file://@FILE@\\""], {type:"text/javascript"}))); return "ESCAPED"',
  ],
  [
    'fetch a file by the host',
    'const r = await fetch("file://@FILE@"); return (await r.text()).includes("canary") ? "ESCAPED" : 0',
  ],
  ['require a file', importFromNode('module', 'm.createRequire("file:///x.js")("@FILE@")')],
  ['open SQLite on a file', importFromNode('sqlite', 'new m.DatabaseSync("@FILE@")')],
  ['change the folder', importFromNode('process', 'm.default.chdir("/tmp")')],
  ['read a file by Deno', 'Deno.readTextFileSync("@FILE@"); return "ESCAPED"'],
  ['open a terminal by Deno', 'Deno.openSync("/dev/tty", { read: true }); return "ESCAPED"'],
  ['make a temporary file', 'Deno.makeTempFileSync(); return "ESCAPED"'],
  // Network
  [
    'fetch by an HTTP client of Deno',
    'Deno.createHttpClient({}); await Deno.connect({ port: @PORT@ }); return "ESCAPED"',
  ],
  [
    'listen by Deno',
    'await new Promise((ok, no) => { try { Deno.serve({ port: 0, onListen: ok }, () => new Response("x")).finished.catch(no) } catch (e) { no(e) } }); return "ESCAPED"',
  ],
  ['fetch by node:http', importFromNode('http', 'await new Promise((ok, no) => m.get("@URL@", ok).on("error", no))')],
  [
    'connect by node:net',
    importFromNode('net', 'await new Promise((ok, no) => m.connect(@PORT@, "127.0.0.1", ok).on("error", no))'),
  ],
  [
    'connect by TLS',
    importFromNode('tls', 'await new Promise((ok, no) => m.connect(@PORT@, "127.0.0.1", ok).on("error", no))'),
  ],
  [
    'connect by HTTP/2',
    importFromNode('http2', 'await new Promise((ok, no) => m.connect("@URL@").on("connect", ok).on("error", no))'),
  ],
  [
    'send a datagram',
    importFromNode(
      'dgram',
      'await new Promise((ok, no) => m.createSocket("udp4").on("error", no).send("x", 53, "127.0.0.1", (e) => e ? no(e) : ok()))',
    ),
  ],
  ['look a name up', importFromNode('dns', 'await m.promises.resolve4("example.com")')],
  ['look a name up by the system', importFromNode('dns', 'await m.promises.lookup("example.com")')],
  ['listen', importFromNode('net', 'await new Promise((ok, no) => m.createServer().on("error", no).listen(0, ok))')],
  [
    'open a WebSocket',
    'const s = new WebSocket("@URL@".replace("http", "ws")); await new Promise((ok, no) => { s.onopen = ok; s.onerror = no }); return "ESCAPED"',
  ],
  [
    'listen to events',
    'const s = new EventSource("@URL@"); await new Promise((ok, no) => { s.onopen = ok; s.onerror = no }); return "ESCAPED"',
  ],
  ['import over the network', 'await import("@URL@/x.js"); return "ESCAPED"'],
  ['import over https', 'await import("https://deno.land/std/version.ts"); return "ESCAPED"'],
  ['import from npm', 'await import("npm:left-pad@1.3.0"); return "ESCAPED"'],
  ['import from JSR', 'await import("jsr:@std/path"); return "ESCAPED"'],
  [
    'import a WebAssembly module over the network',
    'await WebAssembly.compileStreaming(globalThis.__proto__.fetch("@URL@")); return "ESCAPED"',
  ],
  [
    'find the first fetch in a stack',
    'const f = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(globalThis), "fetch"); await f.value("@URL@"); return "ESCAPED"',
  ],
  ['use the inspector', importFromNode('inspector', 'm.open(0)')],
  // Processes and the machine
  ['start a process', importFromNode('child_process', 'm.execSync("id")')],
  [
    'start a process without a shell',
    importFromNode(
      'child_process',
      'await new Promise((ok, no) => m.spawn("/bin/true").on("error", no).on("exit", ok))',
    ),
  ],
  [
    'fork',
    importFromNode('child_process', 'await new Promise((ok, no) => m.fork("x.js").on("error", no).on("spawn", ok))'),
  ],
  ['make a cluster', importFromNode('cluster', 'm.default.fork()')],
  ['signal the server', importFromNode('process', 'm.default.kill(m.default.ppid, "SIGTERM")')],
  ['signal its group', importFromNode('process', 'm.default.kill(0, "SIGTERM")')],
  ['read an environment variable', importFromNode('process', 'if (!m.default.env.PATH) throw 0')],
  [
    'read the server’s secrets',
    'const e = (await import("node:process")).default.env; if (!e.CANARY && !e.THALAMUS_MASTER_KEY) throw 0; return "ESCAPED"',
  ],
  ['ask for the machine’s name', importFromNode('os', 'm.hostname()')],
  ['ask for network interfaces', importFromNode('os', 'm.networkInterfaces()')],
  ['ask who runs it', importFromNode('os', 'm.userInfo()')],
  [
    'load a native library',
    importFromNode('process', 'm.default.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6")'),
  ],
  ['use a binding of the runtime', importFromNode('process', 'm.default.binding("fs").open("@FILE@", 0, 0)')],
  [
    'start a thread with all permissions',
    importFromNode(
      'worker_threads',
      'await new Promise((ok, no) => new m.Worker("require(\\"fs\\").readFileSync(\\"@FILE@\\")", { eval: true }).on("error", no).on("exit", (c) => c ? no(c) : ok()))',
    ),
  ],
  [
    'ask for a permission',
    'const p = Deno.permissions.requestSync({ name: "import" }); if (p.state !== "granted") throw 0; return "ESCAPED"',
  ],
  [
    'run code in another context',
    importFromNode('vm', 'if (!m.runInNewContext("this.Deno?.readTextFileSync(\\"@FILE@\\")")) throw 0'),
  ],
  ['use WASI', importFromNode('wasi', 'new m.WASI({ version: "preview1", preopens: { "/": "/" } }).start({})')],
  ['run a command by Deno', 'new Deno.Command("id").outputSync(); return "ESCAPED"'],
  ['load a library by Deno', 'Deno.dlopen("libc.so.6", {}); return "ESCAPED"'],
  ['read the environment by Deno', 'Deno.env.get("PATH"); return "ESCAPED"'],
  ['kill by Deno', 'Deno.kill(Deno.ppid, "SIGTERM"); return "ESCAPED"'],
  [
    'ask Deno for a permission',
    'for (const name of ["read", "write", "net", "env", "run", "ffi", "sys"]) if ((await Deno.permissions.request({ name })).state === "granted") return "ESCAPED"',
  ],
];

/** What changes the process that tries it, or would. */
export const changingAttempts: readonly Attempt[] = [
  // Back to Deno
  [
    'find Deno by a constructor',
    'const D = (() => {}).constructor("return globalThis.Deno")(); D.readTextFileSync("@FILE@"); return "ESCAPED"',
  ],
  ['find Deno by indirect eval', 'const D = (0, eval)("Deno"); D.readTextFileSync("@FILE@"); return "ESCAPED"'],
  [
    'find Deno’s inner symbols',
    'const s = Object.getOwnPropertySymbols(globalThis).map((k) => globalThis[k]); for (const x of s) x?.core?.ops?.op_fs_open_sync?.("@FILE@"); if (!s.some((x) => x?.core)) throw 0; return "ESCAPED"',
  ],
  [
    'find Deno by an error’s frames',
    'Error.prepareStackTrace = (_, frames) => frames.map((f) => f.getThis?.()); const t = new Error().stack.find((x) => x?.Deno); t.Deno.readTextFileSync("@FILE@"); return "ESCAPED"',
  ],
  [
    'find Deno in a worker',
    'const W = (await import("node:worker_threads")).Worker; await new Promise((ok, no) => new W(new URL("data:text/javascript,Deno.readTextFileSync(\'@FILE@\');")).on("error", no).on("exit", (c) => c ? no(c) : ok())); return "ESCAPED"',
  ],
  // State that persists
  ['store in localStorage', 'localStorage.setItem("a", "b"); return "ESCAPED"'],
  ['store in caches', 'await (await caches.open("a")).put("https://example.com", new Response("x")); return "ESCAPED"'],
  ['store in Deno KV', 'const D = (0, eval)("Deno"); await D.openKv(); return "ESCAPED"'],
  [
    'speak to other processes',
    'const b = new BroadcastChannel("a"); const got = new Promise((ok, no) => { b.onmessage = ok; setTimeout(no, 50) }); b.postMessage(1); await got; return "ESCAPED"',
  ],
  ['ask the terminal', 'if (prompt("password?") === null) throw 0; return "ESCAPED"'],
  // Tricks on the bridge
  [
    'call what the host inherits',
    'for (const m of ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"]) try { await raw(m); return "ESCAPED" } catch {} async function raw(method) { const P = Object.getPrototypeOf(brains); const o = (await import("node:process")).default.stdout; o.write(JSON.stringify({ run: "x", call: 1, method }) + "\\n"); throw 0 }',
  ],
  [
    'pollute the host by a call',
    'Object.prototype.polluted = 1; await brains.note(JSON.parse(\'{"__proto__":{"polluted":"ESCAPED"},"constructor":{"prototype":{"polluted":"ESCAPED"}}}\')); return {}',
  ],
  ['answer with a prototype', 'return JSON.parse(\'{"__proto__":{"polluted":"yes"}}\')'],
  [
    'throw an object with a getter',
    'throw { get message() { return globalThis.Deno ? "ESCAPED" : "no" }, get code() { throw 1 } }',
  ],
  [
    'throw a proxy that lies',
    'throw new Proxy(new Error("x"), { get: (_, k) => k === "stack" ? { toString: null } : "odd" })',
  ],
  ['answer a function', 'return () => "ESCAPED"'],
  ['answer a promise that resolves to itself', 'const p = { then: (ok) => ok({ a: 1 }) }; return p'],
  ['answer what contains itself', 'const a = {}; a.a = a; return a'],
  ['answer a bigint', 'return 10n'],
  ['answer a value nested 20,000 deep', 'let a = []; for (let i = 0; i < 20000; i++) a = [a]; return a'],
  [
    'call with a value nested 20,000 deep',
    'let a = []; for (let i = 0; i < 5000; i++) a = [a]; await brains.note(a); return 1',
  ],
  ['replace JSON', 'JSON.stringify = () => "{\\"run\\":\\"x\\",\\"done\\":{\\"ok\\":\\"ESCAPED\\"}}"; return 1'],
  ['replace the promise', 'globalThis.Promise = class {}; Promise.prototype.then = () => "ESCAPED"; return 1'],
  [
    'close the script’s function',
    '} globalThis.x = 1; export const y = (0, eval)("Deno").readTextFileSync("@FILE@"); {',
  ],
  ['comment the script’s end out', 'return 1 /*'],
  ['exit with success', 'const p = await import("node:process"); p.default.exit(0)'],
  ['abort', '(await import("node:process")).default.abort()'],
];

const forge = (text: string) =>
  `const { stdout } = (await import("node:process")).default; const write = (t) => stdout.write(t); ${text}`;

/**
 * Code that exceeds its limits, and the limit that ends it. `memory`: it is killed or refused, depending on the
 * machine; null: it ends by itself without any gain.
 */
export const hostileRuns: readonly (readonly [string, string, string | null])[] = [
  ['a tight loop', 'for (;;);', 'wall_limit'],
  ['a loop of microtasks', 'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})', 'memory'],
  ['a wait without an end', 'await new Promise(() => {})', 'wall_limit'],
  ['Atomics.wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)', 'wall_limit'],
  ['a regular expression that explodes', '/^(a+)+$/.test("a".repeat(40) + "b")', 'wall_limit'],
  ['toJSON that hangs', 'return { toJSON() { for (;;); } }', 'wall_limit'],
  [
    'a getter that hangs in a thrown error',
    'const e = new Error("x"); Object.defineProperty(e, "stack", { get() { for (;;); } }); throw e',
    'wall_limit',
  ],
  [
    'a proxy that hangs when it is printed',
    'console.log(new Proxy({}, { get() { for (;;); }, ownKeys() { for (;;); } })); for (;;);',
    'wall_limit',
  ],
  ['catching everything for ever', 'for (;;) try { throw 1 } catch {}', 'wall_limit'],
  [
    'a thread that goes on',
    'const { Worker } = await import("node:worker_threads"); try { new Worker("for(;;);", { eval: true }) } catch {} for (;;);',
    'memory',
  ],
  ['a heap that grows', 'const a = []; for (;;) a.push(new Array(10000).fill({}))', 'memory'],
  ['buffers beside the heap', 'const a = []; for (;;) a.push(new Uint8Array(50_000_000).fill(1))', 'memory'],
  [
    'WebAssembly memory',
    'const m = []; for (;;) { const x = new WebAssembly.Memory({ initial: 1000 }); new Uint8Array(x.buffer).fill(1); m.push(x) }',
    'memory',
  ],
  [
    'a string that doubles',
    'const a = []; for (;;) a.push(new TextEncoder().encode("x".repeat(20_000_000)))',
    'memory',
  ],
  ['a storm of promises', 'const a = []; for (;;) a.push(new Promise(() => {}))', 'memory'],
  ['a flood of output', 'for (;;) console.log("x".repeat(60_000))', 'output_limit'],
  [
    'a flood of raw bytes',
    forge('for (;;) await new Promise((ok) => stdout.write("x".repeat(60000), ok))'),
    'protocol',
  ],
  ['a flood of errors', 'for (;;) console.error("x".repeat(60_000))', 'output_limit'],
  ['a call that is too large', 'await brains.note({ text: "x".repeat(3_000_000) })', 'protocol'],
  ['a result that is too large', 'return "x".repeat(3_000_000)', 'protocol'],
  ['more calls than there may be', 'for (;;) await brains.note({})', 'call_limit'],
  [
    'calls that are open at once',
    'for (let i = 0; i < 5000; i++) brains.note({ i }); for (;;) await new Promise((r) => setTimeout(r, 1))',
    'call_limit',
  ],
  [
    'a forged end of another run',
    forge('write(JSON.stringify({ run: "other", done: { ok: "forged" } }) + "\\n"); return "true"'),
    null,
  ],
  ['a forged reply', forge('write(JSON.stringify({ reply: 1, ok: "forged" }) + "\\n"); return "true"'), null],
  ['broken JSON', forge('write("{\\"run\\": \\n{}\\n[]\\nnull\\n\\u0000\\n"); return "true"'), null],
  ['a forged start', forge('write("{\\"ready\\":true}\\n"); return "true"'), null],
  ['bytes that are not text', forge('write(new Uint8Array([255, 254, 0, 10])); return "true"'), null],
];
