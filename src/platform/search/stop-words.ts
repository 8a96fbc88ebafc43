/** English words that carry no topic: articles, pronouns, auxiliaries, question words. Months and names are not among them. */
export const englishStopWords: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can cannot could did do does doing done down during each either else ever few for from further get gets getting
  give given gives go goes going got had has have having he her here hers herself him himself his how however i if in
  into is it its itself just let like me might mine more most much must my myself neither no nor not now of off on once
  one only onto or other ought our ours ourselves out over own per quite rather really s same shall she should since so
  some still such t tell than that the their theirs them themselves then there these they this those though through thus
  to too under until up upon us very was we were what whatever when whenever where wherever whether which while who whoever
  whom whose why will with within without would yes yet you your yours yourself yourselves
  ain't aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt ive shouldnt thats theres wasnt werent whats
  wont wouldnt youre n't d ll m re ve`.split(/\s+/),
);
