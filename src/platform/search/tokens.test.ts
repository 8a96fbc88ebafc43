import { describe, expect, test } from 'vitest';
import { createAnalyser } from './tokens.ts';

const analyse = createAnalyser();
const listTerms = (text: string) => analyse(text).flatMap((token) => [...token.stems, ...token.wholes]);
const expectFindsEach = (text: string, ...words: string[]) => {
  const found = listTerms(text);
  for (const word of words) {
    const wanted = listTerms(word);
    expect(wanted).not.toEqual([]);
    expect(found, `${word} in ${text}`).toEqual(expect.arrayContaining(wanted));
  }
};

describe('words', () => {
  test('are compared without inflections, case, accents and possessives', () => {
    expect(listTerms('Databases')).toEqual(listTerms('database'));
    expect(listTerms("Müller's Résumés")).toEqual(listTerms('muller resume'));
    expect(listTerms('Ross’s dog')).toEqual(listTerms("ross's dogs"));
    expect(listTerms('ﬁnancial Straße')).toEqual(listTerms('financial strasse'));
  });

  test('question words, contractions and other stop words are left out', () => {
    expect(listTerms("What didn't they say, and why wouldn’t I've known who's there?")).toEqual(listTerms('say known'));
  });

  test.each([
    ['de', 'Wir haben die Häuser für euch gesehen', 'Haus gesehen'],
    ['fr', 'Où sont les maisons que nous avons vues ?', 'maison vue'],
    ['es', '¿Dónde están las casas?', 'casa'],
    ['ja', '会議はいつですか', '会議'],
  ])('the stop words and stems of %s are its own', (language, text, expected) => {
    const analyseIt = createAnalyser(language);
    const of = (words: string) => analyseIt(words).flatMap((token) => token.stems);
    expect(of(text)).toEqual(expect.arrayContaining(of(expected)));
    expect(of(text).length).toBeLessThan(createAnalyser('xx')(text).length);
  });

  test('months and names that look like auxiliaries stay', () => {
    expect(listTerms('may March')).toHaveLength(2);
  });

  test('numbers are kept, and thousands separators do not matter', () => {
    expect(listTerms('1,250 users in 2024')).toEqual(['1250', 'user', '2024']);
  });

  test('words that are properties of every object are words like others', () => {
    expectFindsEach('the constructor calls __proto__ and toString', 'constructor', 'proto', 'toString');
  });
});

describe('identifiers, code and paths', () => {
  test.each([
    ['ECONNRESET after 3 tries', ['ECONNRESET', 'econnreset']],
    ['the column user_id', ['user_id', 'user', 'id']],
    ['see src/platform/read-file.ts', ['src/platform/read-file.ts', 'read-file.ts', 'platform', 'file']],
    ['call getUserName()', ['getUserName', 'getusername', 'user', 'name']],
    ['an HTTPServer', ['HTTPServer', 'http', 'server']],
    ['released v1.2.3.', ['v1.2.3', 'v1']],
    ['write to Bob.Smith@example.com', ['bob.smith@example.com', 'example.com', 'bob', 'smith']],
    ['https://docs.example.com/guide?page=2', ['docs.example.com', 'guide']],
    ['C++ and C#', ['c++', 'c#']],
    ['on 2023-05-07', ['2023-05-07', '2023']],
    ["O'Brien and YouTube", ["o'brien", 'brien', 'youtube']],
    ['std::vector->size', ['vector', 'size']],
  ])('%s is found whole and by its parts', (text, words) => expectFindsEach(text, ...words));

  test('an unbroken spelling does not count as length', () => {
    const [token] = analyse('user_id');
    expect(token).toEqual({ word: 'user_id', stems: ['user', 'id'], wholes: ['user_id'] });
  });

  test('a long blob does not become a term', () => {
    const terms = listTerms(`data:${'QUJD'.repeat(500)}`);
    expect(Math.max(...terms.map((term) => term.length))).toBeLessThanOrEqual(100);
  });
});

describe('languages', () => {
  test("Korean syllables between spaces are one word, as in the platform's segmenter", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
    const text = '온라인게임개발자 모임은 보고서를 제출했다 가힣 힣';
    const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
    expect(analyse(text).map(({ word }) => word)).toEqual(words);
    expect(analyse('LG화학의 韓國의 가ᄀ').map(({ word }) => word)).not.toContain('가ᄀ');
  });

  test('scripts without spaces are cut into words', () => {
    expectFindsEach('明日は東京で会議があります', '東京', '会議');
    expectFindsEach('我们决定使用数据库', '数据库', '决定');
  });

  test.each([
    ['de', 'die Häuser', 'Haus'],
    ['french', 'les décisions', 'decision'],
    ['ru-RU', 'базы данных', 'база'],
  ])('%s is stemmed by its own rules', (language, text, word) => {
    const analyse = createAnalyser(language);
    const terms = analyse(text).flatMap((token) => token.stems);
    expect(terms).toEqual(expect.arrayContaining(analyse(word).flatMap((token) => [...token.stems])));
  });

  test('a language without a stemmer is searched by its words as written', () => {
    expect(createAnalyser('xx')('Foo bars')).toMatchObject([{ stems: ['foo'] }, { stems: ['bars'] }]);
  });
});
