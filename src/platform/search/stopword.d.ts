declare module 'stopword' {
  type Words = string[];
  export const ara: Words,
    cat: Words,
    ces: Words,
    dan: Words,
    deu: Words,
    eus: Words,
    fin: Words,
    fra: Words,
    gle: Words;
  export const hun: Words,
    hye: Words,
    ita: Words,
    jpn: Words,
    kor: Words,
    nld: Words,
    nob: Words,
    pol: Words,
    por: Words;
  export const ron: Words, rus: Words, slv: Words, spa: Words, swe: Words, tur: Words, ukr: Words, zho: Words;
}
