// Writes a small but true sentence-embedding model: an ONNX file that looks each token up in a table, and its tokenizer.
// Words of one group share a row of the table, so that texts of like meaning get like vectors.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const hidden = 16;

/** Writes the model into a folder, laid out as on the Hugging Face hub. `groups`: words of like meaning. */
export function writeTinyModel(folder: string, groups: readonly (readonly string[])[]): void {
  const words = [...specials, ...groups.flat()];
  const findRow = (word: string) => groups.findIndex((group) => group.includes(word));
  const table = words.flatMap((word) => Array.from({ length: hidden }, (_, at) => (at === findRow(word) ? 1 : 0.01)));
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, 'onnx', 'model.onnx'), encodeModelFile(table, words.length));
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
function encodeModelFile(table: readonly number[], rows: number): Buffer {
  const int64 = 7;
  const float = 1;
  const rawTable = Buffer.from(Float32Array.from(table).buffer);
  const initializer = encodeMessage([
    encodeNumber(1, rows),
    encodeNumber(1, hidden),
    encodeNumber(2, float),
    encodeText(8, 'table'),
    encodeBytes(9, rawTable),
  ]);
  const gather = encodeMessage([
    encodeText(1, 'table'),
    encodeText(1, 'input_ids'),
    encodeText(2, 'last_hidden_state'),
    encodeText(4, 'Gather'),
  ]);
  const graph = encodeMessage([
    encodeBytes(1, gather),
    encodeText(2, 'tiny'),
    encodeBytes(5, initializer),
    encodeBytes(11, encodeValueInfo('input_ids', int64, ['batch', 'sequence'])),
    encodeBytes(11, encodeValueInfo('attention_mask', int64, ['batch', 'sequence'])),
    encodeBytes(12, encodeValueInfo('last_hidden_state', float, ['batch', 'sequence', hidden])),
  ]);
  return encodeMessage([
    encodeNumber(1, 8),
    encodeBytes(7, graph),
    encodeBytes(8, encodeMessage([encodeText(1, ''), encodeNumber(2, 13)])),
  ]);
}

function encodeValueInfo(name: string, type: number, dimensions: readonly (string | number)[]): Buffer {
  const shape = dimensions.map((each) =>
    encodeBytes(1, encodeMessage([typeof each === 'number' ? encodeNumber(1, each) : encodeText(2, each)])),
  );
  const tensor = encodeMessage([encodeNumber(1, type), encodeBytes(2, encodeMessage(shape))]);
  return encodeMessage([encodeText(1, name), encodeBytes(2, encodeMessage([encodeBytes(1, tensor)]))]);
}

function encodeMessage(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function encodeNumber(field: number, value: number): Buffer {
  return Buffer.from([...encodeVarint(field << 3), ...encodeVarint(value)]);
}

function encodeText(field: number, value: string): Buffer {
  return encodeBytes(field, Buffer.from(value));
}

function encodeBytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...encodeVarint((field << 3) | 2), ...encodeVarint(value.length)]), value]);
}

function encodeVarint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...encodeVarint(Math.floor(value / 128))];
}
