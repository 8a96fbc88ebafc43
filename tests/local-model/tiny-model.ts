// Writes a small but true sentence-embedding model: an ONNX file that looks each token up in a table, and its tokenizer.
// Words of one group share a row of the table, so that texts of like meaning get like vectors.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const hidden = 16;

/** Writes the model into a folder, laid out as on the Hugging Face hub. `groups`: words of like meaning. */
export function writeTinyModel(folder: string, groups: readonly (readonly string[])[]): void {
  const words = [...specials, ...groups.flat()];
  const rowOf = (word: string) => groups.findIndex((group) => group.includes(word));
  const table = words.flatMap((word) => Array.from({ length: hidden }, (_, at) => (at === rowOf(word) ? 1 : 0.01)));
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, 'onnx', 'model.onnx'), modelFile(table, words.length));
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));
  write('config.json', { model_type: 'bert', hidden_size: hidden, vocab_size: words.length });
  write('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    model_max_length: 64,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
  });
  write('tokenizer.json', {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specials.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
    },
  });
}

/** The protobuf of an ONNX `ModelProto` (onnx.proto of onnx/onnx) with one node: last_hidden_state = Gather(table, input_ids). */
function modelFile(table: readonly number[], rows: number): Buffer {
  const int64 = 7;
  const float = 1;
  const rawTable = Buffer.from(Float32Array.from(table).buffer);
  const initializer = message([
    number(1, rows),
    number(1, hidden),
    number(2, float),
    text(8, 'table'),
    bytes(9, rawTable),
  ]);
  const gather = message([text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather')]);
  const graph = message([
    bytes(1, gather),
    text(2, 'tiny'),
    bytes(5, initializer),
    bytes(11, valueInfo('input_ids', int64, ['batch', 'sequence'])),
    bytes(11, valueInfo('attention_mask', int64, ['batch', 'sequence'])),
    bytes(12, valueInfo('last_hidden_state', float, ['batch', 'sequence', hidden])),
  ]);
  return message([number(1, 8), bytes(7, graph), bytes(8, message([text(1, ''), number(2, 13)]))]);
}

function valueInfo(name: string, type: number, dimensions: readonly (string | number)[]): Buffer {
  const shape = dimensions.map((each) =>
    bytes(1, message([typeof each === 'number' ? number(1, each) : text(2, each)])),
  );
  const tensor = message([number(1, type), bytes(2, message(shape))]);
  return message([text(1, name), bytes(2, message([bytes(1, tensor)]))]);
}

function message(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function number(field: number, value: number): Buffer {
  return Buffer.from([...varint(field << 3), ...varint(value)]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(value.length)]), value]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
