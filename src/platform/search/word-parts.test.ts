import { describe, expect, test } from 'vitest';
import { buildExampleRow } from './example-row.ts';
import { findInIndex } from './rank-documents.ts';
import { createIndex, putDocuments, removeDocument } from './inverted-index.ts';
import { addPassage, createPostings } from './passage-postings.ts';
import { rankPassages } from './rank-passages.ts';
import { createAnalyser } from './tokens.ts';
import { createWordParts } from './word-parts.ts';

function buildIndex(rows: Record<string, string>, language = 'en') {
  const index = createIndex(language);
  putDocuments(
    index,
    Object.entries(rows).map(([id, body]) => buildExampleRow({ id, body })),
  );
  return index;
}
const findIds = (index: ReturnType<typeof createIndex>, text: string) =>
  findInIndex(index, { text, limit: 10 }).hits.map((hit) => hit.document.id);

/** A text, words that find it, and a word that does not. */
const examples = [
  ['Korean', '어제 게임을 했다', ['게임', '게임이', '게임에서는'], '게시판'],
  ['Korean nouns of one syllable', '새 책을 샀다', ['책'], '책상'],
  ['Korean verbs', '보고서를 제출했다', ['보고서', '보고서는', '제출', '제출하고', '제출합니다'], '보관'],
  ['Korean compounds', '온라인게임개발자 모임', ['게임', '개발자', '온라인', '게임개발'], '회의'],
  ['Korean words that are together only in the query', '게임 개발 회의록', ['게임개발'], '보고서'],
  ['Korean beside Latin letters', 'LG화학의 API를 3월에 공개', ['API', '화학', 'LG화학', '3월'], 'SDK'],
  ['Japanese loan words', 'データベースとソフトウェアの更新', ['データ', 'ベース', 'ソフト', '更新'], 'サーバー'],
  ['Japanese compounds', '東京都庁舎建設計画書', ['都庁', '庁舎', '建設', '計画', '計画書', '設計'], 'カメラ'],
  ['Japanese hiragana', 'こどもたちはかくれんぼをした', ['かくれんぼ', 'こども'], 'おにごっこ'],
  ['Japanese in half width', 'ﾃﾞｰﾀﾍﾞｰｽ', ['データ', 'データベース'], 'ペース'],
  ['Chinese', '北京大学生活动中心', ['北京', '大学', '学生', '生活', '活动', '动', '北京大学'], '上海'],
  ['traditional Chinese', '週五會議改到碼頭', ['會議', '碼頭', '週五'], '碼表'],
  ['Thai', 'โรงพยาบาลสัตว์เปิดวันเสาร์', ['โรงพยาบาล', 'พยาบาล', 'โรงพยาบาลสัตว์', 'เสาร์'], 'ตลาด'],
  ['Khmer', 'កិច្ចប្រជុំនៅភ្នំពេញ', ['ភ្នំពេញ', 'ប្រជុំ', 'ភ្នំ'], 'សៀមរាប'],
  ['Lao', 'ກອງປະຊຸມຢູ່ວຽງຈັນ', ['ວຽງຈັນ', 'ປະຊຸມ', 'ວຽງ'], 'ຕະຫຼາດ'],
  ['Burmese', 'အစည်းအဝေးကို ရန်ကုန်မှာ ကျင်းပမည်', ['ရန်ကုန်', 'အစည်း', 'အဝေး'], 'မန္တလေး'],
] as const;

describe('parts of words find a text', () => {
  test.each(examples)('in %s', (_language, text, words, foreign) => {
    for (const language of ['en', 'ko', 'ja', 'zh', 'th']) {
      const index = buildIndex({ text, other: 'an English text' }, language);
      for (const word of words) expect(findIds(index, word), `${word} [${language}]`).toEqual(['text']);
      expect(findIds(index, foreign), foreign).toEqual([]);
    }
  });

  test.each(examples)('among the passages of documents, in %s', (_language, text, words) => {
    const [index, analyse] = [createPostings(), createAnalyser('en')];
    const row = { documentId: 'd', title: 'T', position: 0, lineStart: 1, lineEnd: 1 };
    addPassage(index, analyse, { ...row, constellationId: 'text', text });
    addPassage(index, analyse, { ...row, constellationId: 'other', text: 'an English text' });
    for (const word of words) {
      const [hit, ...others] = rankPassages(index, analyse, word);
      expect([hit?.constellationId, others.length], word).toEqual(['text', 0]);
      expect(hit?.share).toBeGreaterThan(0);
    }
  });

  test('in quotes too, and exclude a text with a minus', () => {
    const index = buildIndex({ game: '게임을 했다', both: '게임기 상자' });
    expect(findIds(index, '"게임"').toSorted()).toEqual(['both', 'game']);
    expect(findIds(index, '게임 -상자')).toEqual(['game']);
    expect(findIds(buildIndex({ a: '東京都庁舎', b: '大阪' }), '"都庁"')).toEqual(['a']);
    expect(findIds(buildIndex({ a: 'データベースの更新', b: '更新' }), '更新 -データ')).toEqual(['b']);
  });

  test('in texts that were added or removed after the first query', () => {
    const index = buildIndex({ a: '게임을 했다', b: '大阪' });
    expect([findIds(index, '게임'), findIds(index, '都庁')]).toEqual([['a'], []]);
    putDocuments(index, [
      buildExampleRow({ id: 'c', body: '게임이 좋다' }),
      buildExampleRow({ id: 'd', body: '東京都庁舎' }),
    ]);
    removeDocument(index, 'a');
    expect([findIds(index, '게임'), findIds(index, '都庁')]).toEqual([['c'], ['d']]);
    for (const id of ['b', 'c', 'd']) removeDocument(index, id);
    expect([index.words.size, index.parts?.withCharacter('게')]).toEqual([0, []]);
  });
});

test('a text with the word itself, or with the word and another ending, ranks before one with a longer word', () => {
  const index = buildIndex({ longer: '게임기 상자', particle: '게임을 상자' });
  expect(findIds(index, '게임')).toEqual(['particle', 'longer']);
  expect(findIds(buildIndex({ longer: '東京都 地図', itself: '京都 地図' }), '京都')).toEqual(['itself', 'longer']);
});

test('words of scripts with spaces are found whole, as before', () => {
  expect(findIds(buildIndex({ a: 'database', b: 'Datenbank' }), 'data')).toEqual([]);
  expect(createWordParts(['database', 'база']).withCharacter('a')).toEqual([]);
});

test('the parts of a hundred thousand words are found within milliseconds', () => {
  const syllables = [...'가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허'];
  const words = Array.from({ length: 100_000 }, (_, at) =>
    [7, 11, 13, 17].map((prime) => syllables[Math.floor(at / prime) % syllables.length]).join(''),
  );
  const index = buildIndex(Object.fromEntries(words.slice(0, 2_000).map((word, at) => [`${at}`, word])));
  index.parts = createWordParts(new Set(words));
  const begun = performance.now();
  for (let at = 0; at < 100; at += 1) findIds(index, words[at * 17]!.slice(0, 2));
  expect((performance.now() - begun) / 100).toBeLessThan(20);
});
