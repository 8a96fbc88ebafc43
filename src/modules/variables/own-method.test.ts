import { expect, test } from 'vitest';
import { checkOwnMethod } from './own-method.ts';

const url = 'https://api.example.com/safe/1';
const typed = (type: string, body: string) => ({ url, headers: { 'Content-Type': type }, body });

test.for([
  ['in the address', { url: `${url}?_method=DELETE` }],
  ['in the address, escaped', { url: `${url}?%5Fmethod=DELETE` }],
  ['in the address, as a list', { url: `${url}?_method[]=DELETE` }],
  ['in the address, behind a semicolon', { url: `${url}?a=1;_method=DELETE` }],
  ['in the address, by a name that PHP reads so', { url: `${url}?.method=DELETE` }],
  ['in the address, by the name of Salesforce', { url: `${url}?_HttpMethod=DELETE` }],
  ['in a form, behind a semicolon', typed('application/x-www-form-urlencoded', 'a=1;_method=DELETE')],
  ['in a body without a type', { url, body: 'a=1&_method=DELETE' }],
  [
    'in a part with a name in capitals',
    typed('multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; NAME = "_met\\hod"\r\n\r\nDELETE'),
  ],
  ['in a form', typed('application/x-www-form-urlencoded', 'a=1&_method=DELETE')],
  ['in a form, escaped', typed('application/x-www-form-urlencoded; charset=utf-8', 'a=1&%5fMETHOD=DELETE')],
  ['in a field of JSON', typed('application/json', '{"a":1,"\\u005fmethod":"DELETE"}')],
  [
    'in a part',
    typed('multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="_method"\r\n\r\nDELETE'),
  ],
  [
    'in a part without quotes',
    typed('multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name=_method\r\n'),
  ],
] as const)('a request that asks for another method %s is refused', ([, request]) => {
  expect(() => checkOwnMethod(request)).toThrow(/another method than the request has/);
});

test.for([
  { url: `${url}?method=DELETE&httpMethod=GET&payment_method=a;b` },
  typed('application/x-www-form-urlencoded', 'payment_method=card'),
  typed('application/json', '{"note":"_method","deep":{"_method":"x"}}'),
  typed('application/json', 'no JSON'),
  typed('text/plain', '_method=DELETE'),
  { url },
])('any other request stays, %j', (request) => {
  expect(() => checkOwnMethod(request)).not.toThrow();
});
