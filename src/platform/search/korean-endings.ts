// Korean writes particles and endings after a noun without a space: 보고서를, 보고서는, 제출했다.

const particles = `은 는 이 가 을 를 의 에 와 과 도 로 만 나 랑 께 야 들 들이 들은 들을 들의 들도 들과 에서 에게 께서 한테 으로 까지 부터 처럼
  보다 마다 조차 마저 밖에 이나 이랑 하고 이며 이고 이다 인 이었다 였다 입니다 이에요 예요 라는 이라는 라고 이라고 에는 에도 에만 에서는 에서도 으로는
  으로도 로는 로도 으로서 로서 으로써 로써 으로부터 로부터 에게서 한테서 에게는 까지는 까지도 부터는`;
/** Endings of the many verbs that consist of a noun and «to do» or «to become». */
const verbs = `하다 한다 하는 하여 해서 하기 하면 하지 하며 하게 할 한 함 해 했다 했던 했고 했습니다 합니다 해요 했어요 하세요 하자 되다 된다 되는 되어 돼
  됐다 되었다 됐습니다 됩니다 된 될 됨 시켰다 시킨다`;

const endings = new Set([...particles.split(/\s+/), ...verbs.split(/\s+/)]);
const longestEnding = Math.max(...[...endings].map(({ length }) => length));
/** A single syllable before an ending is too often part of a word that only looks inflected. */
const shortestStem = 2;

/** A Korean word without its particle or ending; any other word unchanged. */
export function stripKoreanEnding(word: string): string {
  for (let length = Math.min(longestEnding, word.length - shortestStem); length > 0; length -= 1)
    if (endings.has(word.slice(-length))) return word.slice(0, -length);
  return word;
}
