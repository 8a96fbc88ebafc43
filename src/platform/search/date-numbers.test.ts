import { expect, test } from 'vitest';
import { readDateNumbers } from './date-numbers.ts';

test.each([
  'port 2019',
  'heating plan cabin 2024',
  'RFC 2015',
  '1995 EUR mooring fee',
  'order 2021 planks',
  'ticket #2022 crane',
  'flight LH 2023',
  'winch model 2020',
  '2017 Harbour street',
  'in 2019 steps',
  'from 2000 requests to 2050 requests',
  'error code -2019',
  'Windows Server 2022',
  'room 1999, floor 7',
  'pier 7 and 12 cranes',
  'may I order 2021 planks',
  'port of 2019',
  '2024 h of work',
  'サーバー 2019',
])('«%s» has no year and no day', (text) => {
  expect(readDateNumbers(text, 'en')).toEqual({ numbers: new Set(), years: [] });
});

test.each([
  ['what happened in 2019?', 'en', ['2019'], [2019]],
  ['decisions in 2019 about the port', 'en', ['2019'], [2019]],
  ['In 2019 Grace moved', 'en', ['2019'], [2019]],
  ['mails since 2021', 'en', ['2021'], [2021]],
  ['planted in 1876', 'en', ['1876'], [1876]],
  ['the year 2024', 'en', ['2024'], [2024]],
  ['early 2024 and summer of 2025', 'en', ['2024', '2025'], [2024, 2025]],
  ['between 2019 and 2021', 'en', ['2019', '2021'], [2019, 2021]],
  ['from 2019-2021', 'en', ['2019', '2021'], [2019, 2021]],
  ['Q3 2024 or 2025 Q1', 'en', ['2024', '2025'], [2024, 2025]],
  ['May 2023', 'en', ['2023'], []],
  ['March 7th, 2025', 'en', ['7', '2025'], []],
  ['the 7th of March', 'en', ['7'], []],
  ['port 2019 in May 2023', 'en', ['2023'], []],
  ['2023-05-07', 'en', ['2023', '05', '07'], []],
  ['7.5.2023 or 05/07/2023', 'en', ['7', '5', '2023', '05', '07'], []],
  ['am 7. März 2024', 'de', ['7', '2024'], []],
  ['im Jahr 2024', 'de', ['2024'], [2024]],
  ['le 7 août 2024', 'fr', ['7', '2024'], []],
  ['7 мая 2024', 'ru', ['7', '2024'], []],
  ['в 2019 году', 'ru', ['2019'], [2019]],
  ['2024年5月7日の会議', 'ja', ['2024', '5', '7'], [2024]],
  ['2024년 3월에', 'ko', ['2024', '3'], [2024]],
])('in «%s» the numbers of dates are known by their cues', (text, language, numbers, years) => {
  expect(readDateNumbers(text, language)).toEqual({ numbers: new Set(numbers), years });
});
