// Runs inside the sandbox process and executes Python. The permissions of Deno are the boundary, not this code.

type Call = (method: string, params: unknown) => Promise<unknown>;
type PrintText = (out: 'stdout' | 'stderr', text: string) => void;
type Writer = { write(bytes: Uint8Array): number };
type Runtime = {
  runPython(code: string): unknown;
  globals: { get(name: string): unknown };
  setStdout(to: Writer): void;
  setStderr(to: Writer): void;
  makeMemorySnapshot(): Uint8Array;
};
type Load = (options: { indexURL: string; _makeSnapshot?: true; _loadSnapshot?: Uint8Array }) => Promise<Runtime>;
type Answer = { ok?: unknown; error?: { message: string; code?: string; details?: unknown } };

/** The names that scripts can use, and how a script runs: as a module with top-level `await` and `return`. */
const prelude = `
import ast, asyncio, base64, collections, csv, datetime, decimal, functools, hashlib, hmac, io, itertools, json, math, random, re
import statistics, string, sys, textwrap, time, traceback, urllib.parse, uuid
from pyodide.code import CodeRunner

class CallError(Exception):
    """An error from the server; code names its kind."""
    def __init__(self, message, code=None, details=None):
        super().__init__(message)
        self.code, self.details = code, details

async def _ask(method, params):
    answer = json.loads(await _call(method, json.dumps(params)))
    if "error" in answer:
        error = answer["error"]
        raise CallError(error["message"], error.get("code"), error.get("details"))
    return answer.get("ok")

class _Facts:
    """What an answer of http_fetch has beside its JSON: ok, status, headers, json, text and body."""
    def __getattr__(self, name):
        hidden = self.__dict__.get("_hidden", {})
        if name in hidden:
            return hidden[name]
        if isinstance(self, dict) and name in self:
            return self[name]
        raise AttributeError(name)

class _Object(_Facts, dict):
    pass

class _List(_Facts, list):
    pass

def _response(told):
    answer = (_List if isinstance(told["answer"], list) else _Object)(told["answer"])
    answer._hidden = {**told["hidden"], **({"json": told["answer"]} if "json" in told["hidden"] else {})}
    return answer

class _Name:
    def __init__(self, path):
        self._path = path
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Name(f"{self._path}.{name}")
    async def __call__(self, *given, **fields):
        if fields and len(given) == 1 and isinstance(given[0], dict):
            given = [{**given[0], **fields}]
        elif fields:
            given = [*given, fields]
        told = await _ask("operation", {"name": self._path, "given": list(given)})
        return _response(told) if self._path in ("http", "http_fetch") else told

class _Brains:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _Name(name)

class Response:
    def __init__(self, answer):
        self.status, self.headers = answer["status"], answer.get("headers", {})
        self._answer = answer
    @property
    def ok(self):
        return 200 <= self.status < 300
    @property
    def content(self):
        packed = self._answer.get("body_base64")
        return self.text.encode() if packed is None else base64.b64decode(packed)
    @property
    def text(self):
        packed = self._answer.get("body_base64")
        if packed is not None:
            return base64.b64decode(packed).decode("utf-8", "replace")
        body = self._answer.get("body")
        return body if body is not None else json.dumps(self._answer.get("json"))
    def json(self):
        return self._answer["json"] if "json" in self._answer else json.loads(self.text)

async def _fetch(url, method="GET", headers=None, body=None, json=None):
    headers = dict(headers or {})
    if json is not None:
        body = sys.modules["json"].dumps(json)
        headers.setdefault("content-type", "application/json")
    asked = {"url": url, "method": method.upper(), "headers": headers}
    return Response(await _ask("fetch", asked if body is None else {**asked, "body": body}))

async def hmac_sha256_hex(message, key):
    """A key that is a handle is resolved by the server, which never tells its value."""
    return await _ask("hmac", {"key": key, "text": message})

class _Return(BaseException):
    def __init__(self, value=None):
        self.value = value

class _EndsRun(ast.NodeTransformer):
    def _inner(self, node):
        return node
    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _inner
    def visit_Return(self, node):
        given = [node.value] if node.value else []
        ends = ast.Call(func=ast.Name(id="__return__", ctx=ast.Load()), args=given, keywords=[])
        return ast.copy_location(ast.Raise(exc=ends, cause=None), node)

def _told(error):
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "main.py"]
    lines = "".join(traceback.format_list(own)) + "".join(traceback.format_exception_only(error))
    code = getattr(error, "code", None)
    return {"name": type(error).__name__, "message": str(error), "stack": lines, **({"code": code} if isinstance(code, str) else {})}

async def _run(source, given):
    given = json.loads(given)
    brains, env = _Brains(), dict(given["env"])
    known = {"brains": brains, "env": env, "args": given["args"], "fetch": _fetch, "CallError": CallError}
    known["hmac_sha256_hex"] = hmac_sha256_hex
    sys.modules["brains"] = brains
    known |= {"__name__": "__main__", "__return__": _Return}
    try:
        runner = CodeRunner(source, return_mode="none", filename="main.py", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        runner.ast = ast.fix_missing_locations(_EndsRun().visit(runner.ast))
        try:
            await runner.compile().run_async(known)
            value = None
        except _Return as ended:
            value = ended.value
        return json.dumps({"ok": value})
    except BaseException as error:
        return json.dumps({"error": _told(error)})
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
`;

/** Loads Python from its folder. With a snapshot this is about ten times faster. */
async function load(folder: string, options: object): Promise<Runtime> {
  const { loadPyodide } = (await import(`file://${folder}/pyodide.mjs`)) as { loadPyodide: Load };
  return loadPyodide({ indexURL: `${folder}/`, ...options });
}

/** The memory of Python after its start, before any user's code ran. */
export async function takeMemorySnapshot(folder: string): Promise<Uint8Array> {
  const python = await load(folder, { _makeSnapshot: true });
  python.runPython(prelude);
  return python.makeMemorySnapshot();
}

/** Starts Python. Returns a function that runs a script; it resolves with the returned value and rejects with the error. */
export async function start(folder: string, snapshot: Uint8Array, call: Call, print: PrintText) {
  const python = await load(folder, { _loadSnapshot: snapshot });
  python.setStdout(createWriter((text) => print('stdout', text)));
  python.setStderr(createWriter((text) => print('stderr', text)));
  Object.assign(globalThis, { __call: createJsonCall(call) });
  python.runPython('from js import __call as _call');
  Reflect.deleteProperty(globalThis, '__call');
  const run = python.globals.get('_run') as (source: string, given: string) => Promise<string>;

  return async (source: string, given: object): Promise<unknown> => {
    const { ok, error } = JSON.parse(await run(source, JSON.stringify(given))) as Answer;
    if (!error) return ok;
    throw Object.assign(new Error(error.message), error);
  };
}

function createWriter(print: (text: string) => void): Writer {
  const decoder = new TextDecoder();
  return {
    write(bytes) {
      print(decoder.decode(bytes, { stream: true }));
      return bytes.length;
    },
  };
}

/** Calls with JSON text, so that neither language keeps objects of the other. */
function createJsonCall(call: Call) {
  return async (method: string, params: string): Promise<string> => {
    try {
      return JSON.stringify({ ok: await call(method, JSON.parse(params)) });
    } catch (thrown) {
      const { message, code, details } = thrown as Error & { code?: string; details?: unknown };
      return JSON.stringify({ error: { message, code, details } });
    }
  };
}
