// The site of `./daelab site`, as .ci/site makes it: what a reader sees first, on a desktop and on a phone, in the light and dark.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, desk, open, phone, violations } from './browser.mjs';

after(closeBrowser);

for (const viewport of [desk, phone])
  for (const colorScheme of ['light', 'dark'])
    for (const name of ['index', 'gallery', 'docs/experiments', 'docs/tutorials/table'])
      test(`${name} at ${viewport.width} px is accessible in the ${colorScheme}, and no code is cut`, async () => {
        const { page, requests, close } = await open(`site/${name}.html`, { viewport, colorScheme });
        await page.waitForTimeout(500); // the theme wraps tables
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
        const cut = await page.locator('pre > code').evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent));
        assert.deepEqual(cut, []);
        assert.deepEqual(requests, []);
        await page.screenshot({ path: `build/page-screenshots/site-${name.replace(/\//g, '-')}-${viewport.width}-${colorScheme}.png` });
        await close();
      });

test('the first page moves, and leads to a result that is explored on it', async () => {
  const { page, close } = await open('site/index.html');
  const picture = page.locator('.hero__picture img');
  assert.ok(await picture.evaluate(one => one.naturalWidth) > 0);
  const first = (await picture.screenshot()).toString('base64');
  await page.waitForTimeout(700);
  assert.notEqual((await picture.screenshot()).toString('base64'), first);
  const frame = page.frameLocator('.explore iframe');
  await page.locator('.explore').scrollIntoViewIfNeeded();
  await frame.locator('.plot .main-svg').first().waitFor();
  assert.match(await frame.locator('.headline').textContent(), /^Most accurate: /);
  await close();
});

test('the gallery is a grid of pictures on white, each with its figure to explore and its config', async () => {
  const { page, close } = await open('site/gallery.html', { colorScheme: 'dark' });
  const cards = page.locator('.cards li');
  assert.ok(await cards.count() > 8);
  const tops = await cards.evaluateAll(all => all.slice(0, 2).map(one => one.getBoundingClientRect().top));
  assert.equal(tops[0], tops[1]); // beside one another
  assert.equal(await cards.first().locator('img').evaluate(one => getComputedStyle(one).backgroundColor), 'rgb(255, 255, 255)');
  assert.deepEqual(await cards.first().locator('a').evaluateAll(all => all.slice(1).map(one => one.textContent)), ['explore', 'figure', 'config']);
  await cards.first().getByRole('link', { name: 'explore' }).click();
  await page.locator('figure[data-figure]').first().waitFor();
  await close();
});
